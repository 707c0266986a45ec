#include "simgpu/cuda/image/lz4.h"

#include <gtest/gtest.h>

namespace simgpu::cuda {
namespace {

using namespace std::string_literals;

TEST(Lz4, RepeatsWhatThereIsAlready) {
  EXPECT_EQ(UnpackLz4("\x35"
                      "abc"
                      "\x03\x00"
                      "\x20"
                      "xy"s,
                      14),
            "abcabcabcabcxy");
  EXPECT_EQ(UnpackLz4("\x1f"
                      "a"
                      "\x01\x00\xff\x02"
                      "\x00"s,
                      1 + 4 + 15 + 255 + 2),
            std::string(277, 'a'));
}

TEST(Lz4, KnowsLongRowsOfBytesAsTheyAre) {
  const std::string text(300, 'b');
  EXPECT_EQ(UnpackLz4("\xf0\xff\x1e" + text, 300), text);
}

TEST(Lz4, RefusesWhatCannotBe) {
  EXPECT_EQ(UnpackLz4("\x35"
                      "abc"
                      "\x04\x00"s,
                      12),
            "");  // from before the beginning
  EXPECT_EQ(UnpackLz4("\x35"
                      "abc"
                      "\x00\x00"s,
                      12),
            "");  // from nowhere
  EXPECT_EQ(UnpackLz4("\x35"
                      "abc"
                      "\x03\x00"s,
                      11),
            "");  // more than it should be
  EXPECT_EQ(UnpackLz4("\x35"
                      "abc"
                      "\x03\x00"s,
                      13),
            "");  // less
  EXPECT_EQ(UnpackLz4("\x50"
                      "abc",
                      5),
            "");  // cut
  EXPECT_EQ(UnpackLz4("\x30"
                      "abc"
                      "\x03"s,
                      7),
            "");
  EXPECT_EQ(UnpackLz4("\xf0\xff"s, 300), "");
  EXPECT_EQ(UnpackLz4("a", size_t{1} << 60), "");
}

}  // namespace
}  // namespace simgpu::cuda
