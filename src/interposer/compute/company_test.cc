#include "interposer/compute/company.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

TEST(Company, SaysAfterAWhileHowMuchMoreTheCardDidThanWasCharged) {
  Company company{};
  for (int lap = 1; lap < 64; ++lap) ASSERT_EQ(company.Ratio(500'000, 250'000), 0u);
  EXPECT_EQ(company.Ratio(500'000, 250'000), 2 * Company::kOne);
  EXPECT_EQ(company.Ratio(500'000, 250'000), 0u) << "anew";
}

TEST(Company, IsNotMovedByWhatIsChargedInBursts) {
  Company company{};
  for (int lap = 0; lap < 1'000; ++lap) {
    const uint64_t ratio = company.Ratio(500'000, lap % 8 == 7 ? 8 * 500'000 : 0);
    EXPECT_TRUE(ratio == 0 || ratio == Company::kOne) << lap;
  }
}

TEST(Company, HasARatioWhereNothingWasCharged) {
  Company company{};
  EXPECT_EQ(company.Ratio(100'000'000, 0), 32 * Company::kOne);
}

// Three processes with a kernel of 200 us each; that of this one lasted five times as long.
TEST(Company, OwesWhatTheCardDidAndNobodyWasChargedFor) {
  Company company{};
  company.Owed(600'000, 0, 10'000'000);
  EXPECT_EQ(company.Owed(1'400'000, 800'000, 10'600'000), 800'000u);
  EXPECT_EQ(company.Owed(600'000, 0, 12'000'000), 0u) << "what was owed is charged by then";
}

TEST(Company, OwesNothingForWhatOthersWereChargedBefore) {
  Company company{};
  uint64_t charged_ns = 10'000'000;
  for (int lap = 0; lap < 100; ++lap)
    EXPECT_EQ(company.Owed(265'000, 200'000, charged_ns += 640'000), 0u);
}

TEST(Company, OwesNothingWhenAProcessTakesThePlaceOfAnother) {
  Company company{};
  company.Owed(600'000, 0, 10'000'000);
  EXPECT_EQ(company.Owed(600'000, 600'000, 1'000'000), 0u);
}

}  // namespace
}  // namespace warpshare::interposer
