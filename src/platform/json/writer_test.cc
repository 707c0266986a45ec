#include "platform/json/writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "platform/json/json.h"

namespace warpshare::json {
namespace {

TEST(Writer, PutsCommasWhereTheyBelong) {
  Writer writer;
  writer.BeginObject()
      .Member("name", "n")
      .Key("list")
      .BeginArray()
      .Integer(1)
      .BeginObject()
      .EndObject()
      .BeginArray()
      .EndArray()
      .Null()
      .EndArray()
      .Member("yes", true)
      .Key("raw")
      .Raw(R"({"a":1})")
      .Member("last", int64_t{-5})
      .EndObject();
  EXPECT_EQ(writer.Take(),
            R"({"name":"n","list":[1,{},[],null],"yes":true,"raw":{"a":1},"last":-5})");
  EXPECT_EQ(writer.BeginArray().Number(0.1).Number(1e300).EndArray().Take(), "[0.1,1e+300]");
}

TEST(Writer, HasNoWordForWhatIsNotANumber) {
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Writer().BeginArray().Number(endless).Number(-endless).EndArray().Take(),
            "[null,null]");
}

TEST(Writer, EscapesWhatJsonDoesNotTake) {
  EXPECT_EQ(Quoted("a\"b\\c\n\r\t\x01\x7f"), R"("a\"b\\c\n\r\t\u0001\u007f")");
  EXPECT_EQ(Quoted("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\"");
}

TEST(Writer, ReplacesBytesThatAreNotText) {
  for (const std::string bad : {"\xff", "\xC3", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
                                "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\x80"}) {
    const std::string quoted = Quoted("a" + bad + "b");
    const auto back = Document::Parse(quoted);
    ASSERT_TRUE(back) << quoted;
    EXPECT_TRUE(back->root().StringOr("").starts_with("a\xEF\xBF\xBD"));
    EXPECT_TRUE(back->root().StringOr("").ends_with("b"));
  }
}

}  // namespace
}  // namespace warpshare::json
