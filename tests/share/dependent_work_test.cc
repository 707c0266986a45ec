// Programs whose work in flight waits for work that they submit later, or for another tenant's: a
// share may slow them down and must never stop them.
#include "tests/share/share_fixture.h"

namespace warpshare::testing {
namespace {

class DependentWork : public Share, public ::testing::WithParamInterface<const char*> {};

// In the two seconds after the first one; a round is nine or so kernels of 200 us.
constexpr double kFewRounds = 20;
// Of work that is let through after a while only: a quiet machine has six.
constexpr double kFewLateRounds = 5;

TEST_P(DependentWork, GoesOnBesideABusyTenant) {
  const Words dependent = {"--mode",  GetParam(), "--kernel",  "200us",
                           "--depth", "4",        "--streams", "2"};
  Scene scene(machine(), {Hard("dependent", 40, dependent), Hard("busy", 50, kKernels)}, 3);
  scene.Play();
  ASSERT_TRUE(scene.reports(0)[0].complete);
  EXPECT_GT(scene.reports(0)[0].done, kFewRounds);
  EXPECT_GT(Percent(scene, 1), 40 - Away(scene)) << "and does not hold up the others";
  EXPECT_GT(scene.SeriesOf(0).Share(scene.Between(2.5, 3)), 0) << "to the end";
}

INSTANTIATE_TEST_SUITE_P(Modes, DependentWork,
                         ::testing::Values("wait-value", "host-write", "host-function",
                                           "cross-stream"),
                         [](const auto& mode) {
                           std::string name = mode.param;
                           std::erase(name, '-');
                           return name;
                         });

// As kernels that spin for each other: what a graph waits for is in no call, so what comes next is
// let through only after a while, and sooner each time (docs/compute-sharing.md). It loses its turn
// meanwhile.
TEST_F(Share, WorkThatWaitsAndDoesNotSaySoGoesOnBesideABusyTenant) {
  const Words silent = {"--mode",  "graph-host", "--kernel",  "200us",
                        "--depth", "64",         "--streams", "2"};
  Scene scene(machine(), {Hard("silent", 40, silent), Hard("busy", 50, kKernels)}, 4);
  scene.Play();
  ASSERT_TRUE(scene.reports(0)[0].complete);
  EXPECT_GT(scene.reports(0)[0].done, kFewLateRounds * (1 - Away(scene) / 100));
  EXPECT_GT(Percent(scene, 1), 40 - Away(scene)) << "and does not hold up the others";
  EXPECT_GT(scene.SeriesOf(0).Share(scene.Between(3, 4)), 0) << "to the end";
}

using TwoTenants = Share;

TEST_F(TwoTenants, WhoseStreamsWaitForEachOtherGoOn) {
  const auto half = [&](const char* rank) {
    return Words{"--mode", "pair",   "--kernel", "200us",  "--depth",
                 "4",      "--rank", rank,       "--pair", machine().folder() + "/pair"};
  };
  Scene scene(machine(), {Hard("zero", 40, half("0")), Hard("one", 40, half("1"))}, 3);
  scene.Play();
  EXPECT_GT(scene.reports(0)[0].done, kFewRounds);
  EXPECT_GT(scene.reports(1)[0].done, kFewRounds);
  EXPECT_GT(scene.SeriesOf(0).Share(scene.Between(2, 3)), 0);
  EXPECT_GT(scene.SeriesOf(1).Share(scene.Between(2, 3)), 0);
}

}  // namespace
}  // namespace warpshare::testing
