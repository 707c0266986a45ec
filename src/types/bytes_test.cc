#include "types/bytes.h"

#include <gtest/gtest.h>

namespace warpshare {
namespace {

TEST(Bytes, ReadsUnitsAsPowersOfTwo) {
  EXPECT_EQ(ParseBytes("4GiB"), 4_GiB);
  EXPECT_EQ(ParseBytes("4G"), 4_GiB);
  EXPECT_EQ(ParseBytes("512MiB"), 512_MiB);
  EXPECT_EQ(ParseBytes("1K"), Bytes(1024));
  EXPECT_EQ(ParseBytes("2TiB"), Bytes(uint64_t{2} << 40));
  EXPECT_EQ(ParseBytes("100B"), 100_B);
  EXPECT_EQ(ParseBytes("0B"), 0_B);
}

TEST(Bytes, ReadsFractionsDownToAWholeByte) {
  EXPECT_EQ(ParseBytes("1.5GiB"), Bytes(3 * (uint64_t{1} << 29)));
  EXPECT_EQ(ParseBytes("0.001KiB"), 1_B);
  EXPECT_EQ(ParseBytes("0.5B"), 0_B);
}

TEST(Bytes, RefusesWhatCouldMeanTwoThings) {
  for (const char* text :
       {"4GB", "4096", "4g", "4 GiB", "4gib", "", "GiB", "4.", ".5GiB", "1.2.3GiB", "-1GiB",
        "+1GiB", "4GiB ", "1e3B", "17179869184GiB", "99999999999999999999B", "1.0000000000001GiB"})
    EXPECT_EQ(ParseBytes(text), std::nullopt) << text;
}

TEST(Bytes, PrintsExactlyWhatItReadsBack) {
  EXPECT_EQ(Exact(4_GiB), "4GiB");
  EXPECT_EQ(Exact(1536_MiB), "1536MiB");
  EXPECT_EQ(Exact(4097_B), "4097B");
  EXPECT_EQ(Exact(0_B), "0B");
  for (const uint64_t count : {uint64_t{1}, uint64_t{1023}, uint64_t{1} << 40, UINT64_MAX})
    EXPECT_EQ(ParseBytes(Exact(Bytes(count))), Bytes(count));
}

TEST(Bytes, RoundsDownForColumns) {
  EXPECT_EQ(Rounded(2_GiB), "2.00GiB");
  EXPECT_EQ(Rounded(Bytes((2_GiB).count() - 1)), "1.99GiB");
  EXPECT_EQ(Rounded(1536_MiB), "1.50GiB");
  EXPECT_EQ(Rounded(1023_B), "1023B");
  EXPECT_EQ(Rounded(0_B), "0B");
}

}  // namespace
}  // namespace warpshare
