#include "interposer/guest/text.h"

#include <gtest/gtest.h>

namespace warpshare::guest {
namespace {

TEST(Text, WritesNumbersInDecimalAndHex) {
  Text<64> text;
  text.AddNumber(0)
      .Add(' ')
      .AddNumber(UINT64_MAX)
      .Add(' ')
      .AddPadded(42, 6)
      .Add(' ')
      .AddHex(0xdead0);
  EXPECT_STREQ(text.text(), "0 18446744073709551615 000042 0xdead0");
  Text<8> zero;
  EXPECT_STREQ(zero.AddHex(0).text(), "0x0");
}

TEST(Text, WritesUuidsAsTheDriverPrintsThem) {
  Text<kUuidLength + 1> text;
  text.AddUuid({0x5d, 0x2b, 0xf5, 0xa3, 0x0c, 0x4c, 0x4b, 0x2f, 0x8a, 0x5e, 0x2a, 0x6b, 0x5a, 0x2f,
                0x9d, 0x11});
  EXPECT_STREQ(text.text(), "5d2bf5a3-0c4c-4b2f-8a5e-2a6b5a2f9d11");
  EXPECT_FALSE(text.was_cut());
}

TEST(Text, CutsOffWhatDoesNotFitAndRemembers) {
  Text<4> text;
  text.Add("abc");
  EXPECT_FALSE(text.was_cut());
  text.Add("d");
  EXPECT_TRUE(text.was_cut());
  EXPECT_STREQ(text.text(), "abc");
  EXPECT_EQ(text.length(), 3u);
}

TEST(Text, ComparesWholeTextsAndBeginnings) {
  EXPECT_TRUE(SameText("", ""));
  EXPECT_TRUE(SameText("ab", "ab"));
  EXPECT_FALSE(SameText("ab", "abc"));
  EXPECT_FALSE(SameText("abc", "ab"));
}

}  // namespace
}  // namespace warpshare::guest
