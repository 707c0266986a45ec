#include "policy/place/shortfall.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpshare::place {
namespace {

TEST(Shortfall, IsWhatIsMissingWhereMuchIsAndNothingWhereMuchIsLeft) {
  EXPECT_NEAR(Shortfall(0), 1 / std::sqrt(2 * 3.14159265), 0.0002);
  EXPECT_NEAR(Shortfall(1), 1.083315, 0.0002);
  EXPECT_NEAR(Shortfall(-1), 0.083315, 0.0002);
  EXPECT_EQ(Shortfall(100), 100);
  EXPECT_EQ(Shortfall(-100), 0);
}

TEST(Shortfall, GrowsWithEveryStep) {
  for (double z = -37; z < 20; z += 0.01) EXPECT_LT(Shortfall(z), Shortfall(z + 0.01)) << z;
}

}  // namespace
}  // namespace warpshare::place
