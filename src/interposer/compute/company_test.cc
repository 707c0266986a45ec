#include "interposer/compute/company.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

constexpr uint64_t kLapNs = 500'000;

TEST(Company, ChangesNothingAtFirst) {
  const Company company{};
  EXPECT_EQ(company.Priced(200'000), 200'000u);
}

// Two processes, each with half of the card's time, charged a fifth of what they take.
TEST(Company, FindsTheFactorByWhichAllAreChargedTooLittle) {
  Company one{};
  Company other{};
  const auto charged = [](const Company& company) { return company.Priced(kLapNs / 2) / 5; };
  for (int lap = 0; lap < 1'000; ++lap) {
    const uint64_t all_ns = charged(one) + charged(other);
    one.Add(kLapNs, all_ns);
    other.Add(kLapNs, all_ns);
  }
  EXPECT_NEAR(static_cast<double>(charged(one) + charged(other)), kLapNs, kLapNs / 50.0);
}

TEST(Company, IsNotMovedByWhatIsSubmittedInBursts) {
  Company company{};
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (int lap = 0; lap < 1'000; ++lap) {
    company.Add(kLapNs, lap % 8 == 0 ? 8 * company.Priced(kLapNs) : 0);
    least = std::min(least, company.Priced(1'000));
    most = std::max(most, company.Priced(1'000));
  }
  EXPECT_GE(least, 900u);
  EXPECT_LE(most, 1'100u);
}

TEST(Company, ChargesNoLessThanIsKnown) {
  Company company{};
  for (int lap = 0; lap < 1'000; ++lap) company.Add(kLapNs, 4 * kLapNs);
  EXPECT_EQ(company.Priced(1'000), 1'000u);
}

TEST(Company, EndsWhereTheProcessIsAlone) {
  Company company{};
  for (int lap = 0; lap < 1'000; ++lap) company.Add(kLapNs, kLapNs / 4);
  EXPECT_GT(company.Priced(1'000), 2'000u);
  company.Alone();
  EXPECT_EQ(company.Priced(1'000), 1'000u);
}

TEST(Company, EndsWhereAllIsTimedForItselfAndKnown) {
  Company company{};
  for (int lap = 0; lap < 1'000; ++lap) company.Add(kLapNs, kLapNs / 4);
  for (int lap = 0; lap < 10; ++lap) company.AddKnown(kLapNs);
  EXPECT_GT(company.Priced(1'000), 2'000u);
  for (int lap = 0; lap < 1'000; ++lap) company.AddKnown(kLapNs);
  EXPECT_EQ(company.Priced(1'000), 1'000u);
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
