#include "cluster/webhook/json_patch.h"

#include <gtest/gtest.h>

namespace warpshare::webhook {
namespace {

std::string PatchOf(const char* text, const JsonPath& path, const char* value = "v") {
  const auto document = json::Document::Parse(text);
  JsonPatch patch(document->root());
  patch.Put(path, value);
  return patch.Text();
}

TEST(JsonPatch, EscapesNamesInPaths) {
  EXPECT_EQ(JsonPointer({"a", "x/y~z", "0"}), "/a/x~1y~0z/0");
  EXPECT_EQ(PatchOf(R"({"m": {}})", {"m", "warpshare.io/gpu"}, "\"1\""),
            R"([{"op":"add","path":"/m/warpshare.io~1gpu","value":"\"1\""}])");
}

TEST(JsonPatch, PutsInObjectsThatAreMissingOnTheWay) {
  EXPECT_EQ(PatchOf(R"({"metadata": {}})", {"metadata", "annotations", "k"}),
            R"([{"op":"add","path":"/metadata/annotations","value":{}},)"
            R"({"op":"add","path":"/metadata/annotations/k","value":"v"}])");
  EXPECT_EQ(PatchOf(R"({"metadata": {"annotations": null}})", {"metadata", "annotations", "k"}),
            PatchOf(R"({"metadata": {}})", {"metadata", "annotations", "k"}));
}

TEST(JsonPatch, PutsThemInOnce) {
  const auto document = json::Document::Parse(R"({"c": [{}, {}]})");
  JsonPatch patch(document->root());
  patch.Put({"c", "1", "limits", "a"}, "1");
  patch.Put({"c", "1", "limits", "b"}, "2");
  EXPECT_EQ(patch.Text(), R"([{"op":"add","path":"/c/1/limits","value":{}},)"
                          R"({"op":"add","path":"/c/1/limits/a","value":"1"},)"
                          R"({"op":"add","path":"/c/1/limits/b","value":"2"}])");
}

TEST(JsonPatch, TakesMembersOut) {
  JsonPatch patch({});
  EXPECT_TRUE(patch.empty());
  patch.Remove({"metadata", "annotations", "warpshare.io/assignment"});
  EXPECT_EQ(patch.Text(),
            R"([{"op":"remove","path":"/metadata/annotations/warpshare.io~1assignment"}])");
}

}  // namespace
}  // namespace warpshare::webhook
