#include "types/printable.h"

#include <gtest/gtest.h>

namespace warpshare {
namespace {

TEST(Printable, LeavesPlainTextAndDisarmsTheRest) {
  EXPECT_EQ(Printable("python3 train.py"), "python3 train.py");
  EXPECT_EQ(Printable("\x1b[31mred\x07\x7f\n"), "?[31mred???");
  EXPECT_EQ(Printable("\xe2\x80\xae"), "???");
}

TEST(Printable, EndsAtANulAndAtTheLimit) {
  EXPECT_EQ(Printable(std::string_view("ab\0cd", 5)), "ab");
  EXPECT_EQ(Printable("abcdef", 3), "abc");
}

}  // namespace
}  // namespace warpshare
