// What changes while tenants run: the arbiter dies and comes back, a tenant dies, a limit changes.
#include <signal.h>

#include "tests/share/share_fixture.h"

namespace warpshare::testing {
namespace {

// Times are seconds since the scene's start.
class Arbiter : public Share {
 protected:
  static double PercentBetween(const Scene& scene, size_t tenant, double from, double to) {
    return 100 * scene.SeriesOf(tenant).Share(scene.Between(from, to));
  }
  static double AwayBetween(const Scene& scene, double from, double to) {
    return Away(scene, scene.Between(from, to));
  }
  static void ExpectBetween(const Scene& scene, size_t tenant, double from, double to,
                            double percent, double tolerance) {
    EXPECT_NEAR(PercentBetween(scene, tenant, from, to), percent,
                tolerance + AwayBetween(scene, from, to))
        << scene.plan(tenant).name << " from " << from << " to " << to << " s";
  }
};

TEST_F(Arbiter, Scenario12_IsNotNeededForStaticSharesAndComesBack) {
  Scene scene(machine(), {Soft("alone", 30, kKernels)}, 6);
  scene.Play(0, [&](Scene& playing) {
    playing.SleepUntil(1);
    const pid_t arbiter = machine().Arbiter();
    ASSERT_GT(arbiter, 0);
    kill(arbiter, SIGKILL);
    playing.SleepUntil(4);
    machine().StartArbiter();
  });
  EXPECT_GT(PercentBetween(scene, 0, 0.3, 1), 90 - AwayBetween(scene, 0.3, 1))
      << "idle time is shared out";
  ExpectBetween(scene, 0, 2, 4, 30, 6);  // the static share, by its own measure
  EXPECT_GT(PercentBetween(scene, 0, 5, 6), 90 - AwayBetween(scene, 5, 6)) << "the arbiter is back";
}

TEST_F(Arbiter, ReleasesALowPriorityTenantByItsDeath) {
  Scene scene(machine(), {Priority("high", "high", kKernels), Priority("low", "low", kKernels)}, 4);
  scene.Play(0, [&](Scene& playing) {
    playing.SleepUntil(1.5);
    const pid_t arbiter = machine().Arbiter();
    ASSERT_GT(arbiter, 0);
    kill(arbiter, SIGKILL);
  });
  EXPECT_LT(PercentBetween(scene, 1, 0.5, 1.5), 10) << "low waits for high";
  EXPECT_GT(PercentBetween(scene, 1, 2.5, 4), 20 - AwayBetween(scene, 2.5, 4));
}

TEST_F(Arbiter, GivesTheTimeOfAKilledTenantToTheOthers) {
  Scene scene(machine(),
              {Weighted("a", 1, kKernels), Weighted("b", 1, kKernels), Weighted("c", 2, kKernels)},
              2.5);
  uint64_t killed_ns = 0;
  scene.Play(0, [&](Scene& playing) {
    playing.SleepUntil(1.2);
    killed_ns = playing.Now();
    playing.tenant(2).Kill();
  });
  const auto a = scene.SeriesOf(0);
  const auto b = scene.SeriesOf(1);
  const Period since = {.from_ns = killed_ns, .to_ns = scene.whole().to_ns};
  const double away = bench::WorstWindow(scene.Lateness(), since, 200 * kMs, 0).over_points;
  const double settled_ms = bench::SettledAfterMs(
      {{.series = &a, .share = 0.5}, {.series = &b, .share = 0.5}}, since, 200 * kMs, 5 + away);
  EXPECT_LT(settled_ms, 300);
}

TEST_F(Arbiter, GivesATenantThatStartsItsPartAtOnce) {
  Scene scene(machine(),
              {Weighted("a", 1, kKernels), Weighted("b", 1, kKernels), Weighted("c", 2, kKernels)},
              3);
  uint64_t started_ns = 0;
  scene.Play(1, [&](Scene& playing) {
    playing.SleepUntil(1.2);
    started_ns = playing.Now();
    playing.Start(2);
  });
  ExpectBetween(scene, 0, 0.2, 1.2, 50, 6);  // two of them, before
  const Period since = {.from_ns = started_ns, .to_ns = scene.whole().to_ns};
  EXPECT_LT(bench::CaughtUpAfterMs(scene.SeriesOf(2), since, 0.47 - Away(scene, since) / 100), 300);
  ExpectBetween(scene, 0, 1.4, 3, 25, 4);
  ExpectBetween(scene, 1, 1.4, 3, 25, 4);
  ExpectBetween(scene, 2, 1.4, 3, 50, 4);
}

// It hangs rather than dies: nobody takes its place, and its last word is odd for one of them.
TEST_F(Arbiter, IsNotNeededWhileItIsStopped) {
  Scene scene(machine(), {Soft("a", 30, kKernels), Soft("b", 20, kKernels)}, 5.5);
  pid_t arbiter = 0;
  scene.Play(0, [&](Scene& playing) {
    playing.SleepUntil(1.2);
    arbiter = machine().Arbiter();
    if (arbiter <= 0) return;
    kill(arbiter, SIGSTOP);
    playing.SleepUntil(4);
    kill(arbiter, SIGCONT);
  });
  ASSERT_GT(arbiter, 0);
  EXPECT_GT(PercentBetween(scene, 0, 0.4, 1.2) + PercentBetween(scene, 1, 0.4, 1.2),
            90 - AwayBetween(scene, 0.4, 1.2));
  ExpectBetween(scene, 0, 2.2, 4, 30, 6);  // the static share, by its own measure
  ExpectBetween(scene, 1, 2.2, 4, 20, 6);
  EXPECT_GT(PercentBetween(scene, 0, 4.7, 5.5) + PercentBetween(scene, 1, 4.7, 5.5),
            80 - AwayBetween(scene, 4.7, 5.5))
      << "it goes on";
  EXPECT_GT(PercentBetween(scene, 1, 4.7, 5.5), 30 - AwayBetween(scene, 4.7, 5.5))
      << "and so do turns, by weight";
}

TEST_F(Arbiter, FollowsALimitThatChanges) {
  Scene scene(machine(), {Hard("a", 20, kKernels)}, 3);
  scene.Play(0, [&](Scene& playing) {
    playing.SleepUntil(1.5);
    machine().Warpshare({"set", "a", "--cores", "60"});
  });
  ExpectBetween(scene, 0, 0.5, 1.5, 20, 3);
  ExpectBetween(scene, 0, 2, 3, 60, 4);
}

}  // namespace
}  // namespace warpshare::testing
