// A simulated machine for each test, and the words that the tests have in common.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "bench/share/stage/scene.h"
#include "bench/share/truth/windows.h"

namespace warpshare::testing {

using bench::Hard;
using bench::kMs;
using bench::kSecond;
using bench::Period;
using bench::Priority;
using bench::Scene;
using bench::SimMachine;
using bench::Soft;
using bench::TenantPlan;
using bench::Weighted;

using Words = std::vector<std::string>;

inline const Words kKernels = {"--kernel", "200us", "--depth", "64"};

class Share : public ::testing::Test {
 protected:
  // What the first call of a test says counts.
  const SimMachine& machine(int cards = 1, const std::string& scenario = {}) {
    if (machine_ == nullptr)
      machine_ = std::make_unique<SimMachine>(bench::Build::OfThisProgram(), cards, scenario);
    return *machine_;
  }

  // Percent of the card, from a second after the start on.
  static double Percent(const Scene& scene, size_t tenant, int card = 0) {
    return 100 * scene.SeriesOf(tenant, card).Share(Judged(scene));
  }
  static double BusyPercent(const Scene& scene) {
    return 100 * scene.SeriesOfAll().Share(Judged(scene));
  }

  // Percent of the time in which one of the processors was away (they are added up), as a virtual
  // machine's are that others use, too. Nobody can give the card work then, so that is by how much
  // a program may have less than its part; 0 on a machine of one's own.
  static double Away(const Scene& scene) { return Away(scene, Judged(scene)); }
  static double Away(const Scene& scene, const Period& period) {
    const double stolen = scene.noise().steal_percent * std::thread::hardware_concurrency();
    return std::max(stolen, 100 * scene.Lateness().Share(period));
  }

  // Never more than that, whatever the machine does.
  static void ExpectCapped(const Scene& scene, size_t tenant, double percent, double tolerance,
                           int card = 0) {
    EXPECT_LE(Percent(scene, tenant, card), percent + tolerance) << scene.plan(tenant).name;
    EXPECT_GE(Percent(scene, tenant, card), percent - tolerance - Away(scene))
        << scene.plan(tenant).name;
  }
  // What others cannot use is given to whoever can.
  static void ExpectShare(const Scene& scene, size_t tenant, double percent, double tolerance) {
    EXPECT_NEAR(Percent(scene, tenant), percent, tolerance + Away(scene))
        << scene.plan(tenant).name;
  }
  // Jain's index of 0.99: parts whose standard deviation is a tenth of their mean.
  static void ExpectEqual(const Scene& scene, const std::vector<double>& parts) {
    const double spread = 0.1 + Away(scene) / 100;
    EXPECT_GE(bench::JainIndex(parts), 1 / (1 + spread * spread));
  }
  static void ExpectNothingLeft(const Scene& scene) {
    EXPECT_GT(BusyPercent(scene), 94 - Away(scene)) << "of the card";
  }

 private:
  static Period Judged(const Scene& scene) { return scene.Between(1, scene.whole().Seconds()); }

  std::unique_ptr<SimMachine> machine_;
};

}  // namespace warpshare::testing
