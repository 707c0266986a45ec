#include "simgpu/cuda/launch/duration.h"

#include <gtest/gtest.h>

namespace simgpu::cuda {
namespace {

std::optional<uint64_t> DurationInName(const std::string& name) {
  return BehaviourInName(name).duration_ns;
}

TEST(Duration, IsReadFromTheEndOfTheName) {
  EXPECT_EQ(DurationInName("spin_250us"), 250'000u);
  EXPECT_EQ(DurationInName("a_b_7ns"), 7u);
  EXPECT_EQ(DurationInName("x_3ms"), 3'000'000u);
  EXPECT_EQ(DurationInName("_Z9spin_50usPf"), 50'000u);
  EXPECT_EQ(DurationInName("_0us"), 0u);
}

TEST(Duration, OtherNamesHaveNone) {
  for (const char* name : {"spin", "spin_us", "spin_5", "spin5us", "spin_5us_", "spin_5s",
                           "spin_-5us", "spin_5 us", ""}) {
    EXPECT_EQ(DurationInName(name), std::nullopt) << name;
  }
}

TEST(Duration, MayBeTheFirstArgument) {
  const world::CardSpec spec;
  EXPECT_EQ(KernelDurationNs(BehaviourInName("spin_arg0ns"), spec, {}, 250), 250u);
  EXPECT_EQ(KernelDurationNs(BehaviourInName("_Z11spin_arg0usPf"), spec, {}, 3), 3'000u);
  EXPECT_EQ(KernelDurationNs(BehaviourInName("spin_arg0ms"), spec, {}, UINT64_MAX),
            3'600'000'000'000u);
  EXPECT_EQ(KernelDurationNs(BehaviourInName("spin_arg0"), spec, {}, 250), kWaveNs);
}

TEST(Duration, OfHugeNumbersIsAnHour) {
  EXPECT_EQ(DurationInName("x_18446744073709551615ms"), 3'600'000'000'000u);
  EXPECT_EQ(DurationInName("x_99999999999999999999ms"), std::nullopt);
}

TEST(Duration, ComesFromNameThenScenarioThenGrid) {
  world::CardSpec spec;
  const Grid grid = {.blocks = 100, .blocks_at_once = 2, .sm_count = 10};
  EXPECT_EQ(KernelDurationNs(BehaviourInName("scale"), spec, grid), 5 * kWaveNs);
  EXPECT_EQ(KernelDurationNs(BehaviourInName("scale"), spec, {}), kWaveNs);
  spec.kernel_ns = 123;
  EXPECT_EQ(KernelDurationNs(BehaviourInName("scale"), spec, grid), 123u);
  EXPECT_EQ(KernelDurationNs(BehaviourInName("scale_9us"), spec, grid), 9'000u);
}

}  // namespace
}  // namespace simgpu::cuda
