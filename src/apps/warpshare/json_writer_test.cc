#include "apps/warpshare/json_writer.h"

#include <gtest/gtest.h>

namespace warpshare::app {
namespace {

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
  JsonWriter json;
  json.BeginObject().Key("a").BeginList().Number(1).Number(2).BeginObject().EndObject().EndList();
  json.Key("b").Null().Key("c").BeginList().EndList().EndObject();
  EXPECT_EQ(json.text(), R"({"a":[1,2,{}],"b":null,"c":[]})");
}

TEST(JsonWriter, EscapesText) {
  JsonWriter json;
  json.BeginList().Text("a\"b\\c\nd\x1f").Text("").EndList();
  EXPECT_EQ(json.text(), R"(["a\"b\\c\u000ad\u001f",""])");
}

// A text that ends in a bracket or a colon is no place for a value.
TEST(JsonWriter, IsNotMisledByWhatATextEndsWith) {
  JsonWriter json;
  json.BeginList().Text("x:").Text("[").Number(1).EndList();
  EXPECT_EQ(json.text(), R"(["x:","[",1])");
}

}  // namespace
}  // namespace warpshare::app
