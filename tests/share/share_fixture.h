// A simulated machine for each test, and the words that the tests have in common.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/share/stage/scene.h"

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
  const SimMachine& machine(int cards = 1) {
    if (machine_ == nullptr)
      machine_ = std::make_unique<SimMachine>(bench::Build::OfThisProgram(), cards);
    return *machine_;
  }

  // Percent of the card, from a second after the start on.
  static double Percent(const Scene& scene, size_t tenant, int card = 0) {
    const Period period = scene.Between(1, scene.whole().Seconds());
    return 100 * scene.SeriesOf(tenant, card).Share(period);
  }
  static double BusyPercent(const Scene& scene) {
    return 100 * scene.SeriesOfAll().Share(scene.Between(1, scene.whole().Seconds()));
  }

 private:
  std::unique_ptr<SimMachine> machine_;
};

}  // namespace warpshare::testing
