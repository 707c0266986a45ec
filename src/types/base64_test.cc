#include "types/base64.h"

#include <gtest/gtest.h>

namespace warpshare {
namespace {

TEST(Base64, WritesTheExamplesOfTheStandardAndReadsThem) {
  const struct {
    const char* bytes;
    const char* text;
  } table[] = {{"", ""},
               {"f", "Zg=="},
               {"fo", "Zm8="},
               {"foo", "Zm9v"},
               {"foob", "Zm9vYg=="},
               {"fooba", "Zm9vYmE="},
               {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : table) {
    EXPECT_EQ(ToBase64(bytes), text);
    EXPECT_EQ(FromBase64(text), bytes);
  }
}

TEST(Base64, CarriesEveryByte) {
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  EXPECT_EQ(FromBase64(ToBase64(all)), all);
}

TEST(Base64, PassesOverLineEnds) { EXPECT_EQ(FromBase64("Zm9v\r\nYmFy\n"), "foobar"); }

TEST(Base64, RefusesWhatItWouldNotHaveWritten) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zh==", "Z===", "====", "Zm=v", "Zm9v*g==", "Zm9-"})
    EXPECT_FALSE(FromBase64(text)) << text;
}

}  // namespace
}  // namespace warpshare
