#include "platform/json/json.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpshare::json {
namespace {

constexpr const char* kPod = R"({
  "metadata": {"name": "p", "generation": 7, "deletable": true},
  "spec": {"containers": [{"name": "a"}, {"name": "b", "share": 0.5}, {"name": 3}], "nodeName": null}
})";

Document Parsed(std::string_view text) {
  auto document = Document::Parse(text);
  EXPECT_TRUE(document) << document.error().message;
  return std::move(*document);
}

TEST(Json, GivesWhatIsThere) {
  const Document pod = Parsed(kPod);
  EXPECT_EQ(pod["metadata"]["name"].String().value(), "p");
  EXPECT_EQ(pod["metadata"]["generation"].Integer().value(), 7);
  EXPECT_TRUE(pod["metadata"]["deletable"].Boolean().value());
  EXPECT_EQ(pod["spec"]["containers"][1]["share"].Number().value(), 0.5);
  EXPECT_EQ(pod["metadata"]["generation"].Number().value(), 7.0);
  EXPECT_EQ(pod["spec"]["containers"].Array().value().size(), 3u);
  EXPECT_TRUE(pod["spec"].Object());
  EXPECT_EQ(pod["spec"]["nodeName"].kind(), Kind::kNull);
}

TEST(Json, ToleratesWhatIsNotThereOrSomethingElse) {
  const Document pod = Parsed(kPod);
  EXPECT_EQ(pod["status"]["phase"].StringOr("Pending"), "Pending");
  EXPECT_EQ(pod["spec"]["nodeName"].StringOr("none"), "none");
  EXPECT_EQ(pod["metadata"]["name"].IntegerOr(-1), -1);
  EXPECT_EQ(pod["metadata"]["name"].BooleanOr(true), true);
  EXPECT_EQ(pod["spec"]["containers"][9].kind(), Kind::kAbsent);
  EXPECT_EQ(pod["spec"]["containers"]["name"].kind(), Kind::kAbsent);
  EXPECT_EQ(pod["metadata"]["name"][0].size(), 0u);
}

TEST(Json, SaysWhereSomethingIsWrong) {
  const Document pod = Parsed(kPod);
  const View containers = pod["spec"]["containers"];
  EXPECT_EQ(containers[2]["name"].String().error().message,
            "spec.containers[2].name: expected a string");
  EXPECT_EQ(containers[0]["share"].Number().error().message,
            "spec.containers[0].share: missing, expected a number");
  EXPECT_EQ(containers[9]["name"].String().error().message,
            "spec.containers[9]: missing, expected a string");
  EXPECT_EQ(pod["metadata"]["name"].Integer().error().message,
            "metadata.name: expected a whole number");
  EXPECT_EQ(pod.root().Array().error().message, "the document: expected a list");
  EXPECT_EQ(pod["metadata"]["generation"].Wrong("must be 1").value().message,
            "metadata.generation: must be 1");
}

TEST(Json, FindsNamesAsGoDoes) {
  const Document in = Parsed(R"({"pod": 1, "NODENAMES": 2, "nodenames": 3, "NodeNames": 4})");
  EXPECT_EQ(in.root().AnyCase("Pod").IntegerOr(0), 1);
  EXPECT_EQ(in.root().AnyCase("NodeNames").IntegerOr(0), 4);
  EXPECT_EQ(in.root().AnyCase("Nodes").kind(), Kind::kAbsent);
  EXPECT_EQ(in.root()["pod"].AnyCase("x").kind(), Kind::kAbsent);
}

TEST(Json, GoesThroughListsAndObjects) {
  const Document pod = Parsed(kPod);
  std::vector<std::string_view> names;
  for (const View container : pod["spec"]["containers"].items()) {
    names.push_back(container["name"].StringOr("?"));
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"a", "b", "?"}));
  names.clear();
  for (const auto [name, value] : pod["metadata"].members()) {
    names.push_back(name);
    EXPECT_TRUE(value);
    EXPECT_EQ(value.Path(), "metadata." + std::string(name));
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"name", "generation", "deletable"}));
  for (const View none : pod["metadata"].items()) FAIL() << none.Text();
  for (const auto& none : pod["status"].members()) FAIL() << none.name;
}

TEST(Json, TellsWholeNumbersFromOthers) {
  const Document numbers =
      Parsed("[9223372036854775807, 9223372036854775808, 1.0, -9223372036854775808]");
  EXPECT_EQ(numbers.root()[0].Integer().value(), INT64_MAX);
  EXPECT_FALSE(numbers.root()[1].Integer());
  EXPECT_EQ(numbers.root()[1].Number().value(), 9223372036854775808.0);
  EXPECT_FALSE(numbers.root()[2].Integer());
  EXPECT_EQ(numbers.root()[3].Integer().value(), INT64_MIN);
}

TEST(Json, RefusesANumberThatCouldNotBeWrittenAgain) {
  EXPECT_FALSE(Document::Parse(R"({"a": [1, 1e400]})"));
  EXPECT_FALSE(Document::Parse("-1e400"));
  EXPECT_TRUE(Document::Parse("1e300"));
}

TEST(Json, KeepsAStringWithEveryByteOfIt) {
  const Document text = Parsed(R"(["a\u0000b\u00e9\ud83d\ude00"])");
  EXPECT_EQ(text.root()[0].String().value(), std::string_view("a\0b\xC3\xA9\xF0\x9F\x98\x80", 9));
}

TEST(Json, WritesAPlaceAsText) {
  const Document pod = Parsed(kPod);
  EXPECT_EQ(pod["metadata"].Text(), R"({"name":"p","generation":7,"deletable":true})");
  EXPECT_EQ(pod["status"].Text(), "null");
}

TEST(Json, RefusesWhatIsNotOneValue) {
  for (const char* text :
       {"", "{", "[1,]", "{} {}", "{'a': 1}", "nul", "[\"\xff\"]", "\"\\ud800\""}) {
    EXPECT_FALSE(Document::Parse(text)) << text;
  }
  EXPECT_NE(Document::Parse("{\"a\": x}").error().message.find("byte 6"), std::string::npos)
      << Document::Parse("{\"a\": x}").error().message;
}

TEST(Json, RefusesWhatIsTooDeepOrTooLarge) {
  EXPECT_TRUE(Document::Parse(std::string(64, '[') + std::string(64, ']')));
  EXPECT_FALSE(Document::Parse(std::string(65, '[') + std::string(65, ']')));
  EXPECT_FALSE(Document::Parse(std::string(1'000'000, '[')));
  EXPECT_FALSE(Document::Parse("[1,2,3]", {.bytes = 6}));
}

TEST(Json, IsNullBeforeAnythingIsRead) {
  EXPECT_EQ(Document().root().kind(), Kind::kNull);
  EXPECT_EQ(View().kind(), Kind::kAbsent);
  EXPECT_EQ(View()["a"][1].StringOr("x"), "x");
}

}  // namespace
}  // namespace warpshare::json
