// Engines in real time, with participants in one process. Ratios and sums, which hold on a busy
// machine too.
#include "simgpu/world/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "simgpu/world/testing/temp_world.h"

namespace simgpu::world {
namespace {

constexpr uint64_t kUs = 1'000;
constexpr uint64_t kMs = 1'000'000;

uint64_t BusyOf(World& world) {
  return world.engine().BusyNs(0, EngineKind::kCompute, world.self());
}

// A program that keeps `depth` kernels in flight until `stop_ns`: each is submitted the moment the
// one `depth` before it ends, as by a thread of its own that is never late. Answers what it was
// given, in ns.
std::vector<Interval> RunKernels(World& world, uint64_t kernel_ns, int depth, uint64_t stop_ns) {
  std::vector<uint64_t> ends(depth, NowNs());
  std::vector<Interval> given;
  uint64_t previous_end = 0;
  for (size_t i = 0;; ++i) {
    uint64_t& oldest = ends[i % depth];
    const uint64_t submitted_ns = oldest;
    if (submitted_ns >= stop_ns) {
      world.engine().Idle(0, EngineKind::kCompute);
      return given;
    }
    WaitUntil(submitted_ns);
    const Interval interval =
        world.engine().Reserve({.duration_ns = kernel_ns,
                                .ready_ns = std::max(submitted_ns, previous_end),
                                .more_follows = depth > 1});
    EXPECT_GE(interval.start_ns, submitted_ns);
    EXPECT_EQ(interval.end_ns - interval.start_ns, kernel_ns);
    oldest = previous_end = interval.end_ns;
    given.push_back(interval);
  }
}

TEST(Engine, RunsOneProcessAtFullSpeed) {
  const TempWorld temp;
  const auto world = temp.Open();
  for (const uint64_t kernel_ns : {5 * kUs, 200 * kUs, 5 * kMs}) {
    const uint64_t start_ns = NowNs();
    uint64_t end_ns = start_ns;
    uint64_t submitted = 0;
    while (submitted < 100 * kMs) {
      const Interval interval = world->engine().Reserve(
          {.duration_ns = kernel_ns, .ready_ns = start_ns, .more_follows = true});
      EXPECT_TRUE(submitted == 0 || interval.start_ns == end_ns);  // no gap
      end_ns = interval.end_ns;
      submitted += kernel_ns;
    }
    WaitUntil(end_ns);
    EXPECT_EQ(world->engine().BusyNs(0, EngineKind::kCompute, world->self()) % kernel_ns, 0u);
  }
  EXPECT_EQ(BusyOf(*world), 300 * kMs);
  EXPECT_EQ(world->engine().CardBusyNs(0, EngineKind::kCompute), 300 * kMs);
  EXPECT_EQ(world->engine().CardBusyNs(1, EngineKind::kCompute), 0u);
}

struct Mix {
  const char* name;
  int processes;
  uint64_t kernel_ns;
  int depth;
};

class EngineSharing : public ::testing::TestWithParam<Mix> {};

uint64_t StartedWithin(const std::vector<Interval>& given, uint64_t from_ns, uint64_t to_ns) {
  uint64_t sum = 0;
  for (const Interval& one : given) {
    if (one.start_ns >= from_ns && one.start_ns < to_ns) sum += one.end_ns - one.start_ns;
  }
  return sum;
}

// Processes that always have work get equal time, together all of it, and their sum is the card's.
TEST_P(EngineSharing, IsFairAndLosesNothing) {
  const Mix& mix = GetParam();
  const TempWorld temp;
  std::vector<std::unique_ptr<World>> worlds;
  std::vector<std::vector<Interval>> given(mix.processes);
  std::vector<std::thread> threads;
  const uint64_t stop_ns = NowNs() + 400 * kMs;
  for (int i = 0; i < mix.processes; ++i) worlds.push_back(temp.Open());
  for (int i = 0; i < mix.processes; ++i) {
    threads.emplace_back(
        [&, i] { given[i] = RunKernels(*worlds[i], mix.kernel_ns, mix.depth, stop_ns); });
  }
  for (std::thread& thread : threads) thread.join();
  uint64_t all_there_ns = 0;
  uint64_t last_end_ns = 0;
  for (const auto& mine : given) {
    all_there_ns = std::max(all_there_ns, mine.front().start_ns);
    last_end_ns = std::max(last_end_ns, mine.back().end_ns);
  }
  WaitUntil(last_end_ns);
  const uint64_t turn_ns = std::max(mix.kernel_ns, 2 * kMs) + mix.kernel_ns;
  uint64_t total = 0;
  uint64_t together = 0;
  for (int i = 0; i < mix.processes; ++i) {
    const uint64_t mine = given[i].size() * mix.kernel_ns;
    EXPECT_EQ(BusyOf(*worlds[i]), mine);
    total += mine;
    const uint64_t shared = StartedWithin(given[i], all_there_ns, stop_ns);
    together += shared;
    EXPECT_NEAR(static_cast<double>(shared),
                static_cast<double>(stop_ns - all_there_ns) / mix.processes,
                static_cast<double>(turn_ns));
  }
  EXPECT_EQ(worlds[0]->engine().CardBusyNs(0, EngineKind::kCompute), total);
  EXPECT_NEAR(static_cast<double>(together), static_cast<double>(stop_ns - all_there_ns),
              static_cast<double>(mix.kernel_ns));  // never idle
}

INSTANTIATE_TEST_SUITE_P(Engine, EngineSharing,
                         ::testing::Values(Mix{"TwoOfManySmall", 2, 20 * kUs, 512},
                                           Mix{"TwoDeep", 2, 200 * kUs, 64},
                                           Mix{"FourShallow", 4, 500 * kUs, 8},
                                           Mix{"EightDeep", 8, 100 * kUs, 128},
                                           Mix{"ThreeLongerThanASlice", 3, 7 * kMs, 4}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Engine, LetsAProcessWithLittleWorkInBetweenTurns) {
  const TempWorld temp;
  const auto heavy = temp.Open();
  const auto light = temp.Open();
  const uint64_t start_ns = NowNs();
  const uint64_t stop_ns = start_ns + 200 * kMs;
  std::vector<Interval> given;
  std::thread worker([&] { given = RunKernels(*heavy, 50 * kUs, 256, stop_ns); });
  std::vector<uint64_t> waits;
  for (uint64_t ready_ns = start_ns; ready_ns < stop_ns - 20 * kMs;) {
    const Interval mine = light->engine().Reserve({.duration_ns = 20 * kUs, .ready_ns = ready_ns});
    waits.push_back(mine.start_ns - ready_ns);
    ready_ns = mine.end_ns + 100 * kUs;
  }
  worker.join();
  const uint64_t from_ns = given.front().start_ns;
  const uint64_t heavy_ns = StartedWithin(given, from_ns, stop_ns);
  // It costs the other its own time and no more.
  EXPECT_GE(heavy_ns + waits.size() * 20 * kUs + 100 * kUs, stop_ns - from_ns);
  std::ranges::sort(waits);
  EXPECT_LE(waits[waits.size() / 2], 3 * kMs);  // a slice, and what it overlaps
}

TEST(Engine, AnswersAStandingRequestLater) {
  const TempWorld temp;
  const auto owner = temp.Open();
  const auto asking = temp.Open();
  const Interval first = owner->engine().Reserve({.duration_ns = 30 * kMs, .ready_ns = NowNs()});
  const Work work{.duration_ns = kMs, .ready_ns = NowNs()};
  Attempt attempt = asking->engine().Try(work);
  EXPECT_FALSE(attempt.interval);
  while (!attempt.interval) {
    asking->engine().WaitTurn(0, EngineKind::kCompute, attempt.retry_ns);
    attempt = asking->engine().Try(work);
  }
  EXPECT_EQ(attempt.interval->start_ns, first.end_ns);
}

TEST(Engine, DropsTheClaimOfAProcessThatLeft) {
  const TempWorld temp;
  auto leaving = temp.Open();
  const auto staying = temp.Open();
  leaving->engine().Reserve({.duration_ns = 3'600'000 * kMs, .ready_ns = NowNs()});  // an hour
  leaving.reset();
  const uint64_t asked_ns = NowNs();
  const Interval interval = staying->engine().Reserve({.duration_ns = kMs, .ready_ns = asked_ns});
  EXPECT_LE(interval.start_ns, NowNs() + kMs);
  EXPECT_LE(staying->engine().CardBusyNs(0, EngineKind::kCompute), 10'000 * kMs);
}

TEST(Engine, RunsCopiesBesideKernels) {
  const TempWorld temp;
  const auto world = temp.Open();
  const uint64_t now_ns = NowNs();
  const Interval kernel = world->engine().Reserve({.duration_ns = 10 * kMs, .ready_ns = now_ns});
  const Interval in = world->engine().ReserveCopy(0, EngineKind::kCopyIn, 25'000'000, now_ns);
  const Interval out = world->engine().ReserveCopy(0, EngineKind::kCopyOut, 25'000'000, now_ns);
  EXPECT_EQ(kernel.start_ns, now_ns);
  EXPECT_EQ(in.start_ns, now_ns);
  EXPECT_EQ(in.end_ns - in.start_ns, kMs + 2 * kUs);  // 25 GB/s and the latency
  EXPECT_EQ(out.start_ns, now_ns);
}

TEST(Engine, LosesTheSwitchBetweenProcessesOnTheComputeEngineOnly) {
  const TempWorld temp;
  const std::string path = temp.directory() + "/scenario";
  std::ofstream(path) << "switch_cost = 1ms\n";
  const auto one = temp.Open({.file = path});
  const auto other = temp.Open({.file = path});
  const uint64_t now_ns = NowNs();
  const Interval kernel = one->engine().Reserve({.duration_ns = kMs, .ready_ns = now_ns});
  const Interval copy = one->engine().ReserveCopy(0, EngineKind::kCopyIn, 25'000'000, now_ns);
  const Interval next = other->engine().Reserve({.duration_ns = kMs, .ready_ns = now_ns});
  const Interval next_copy =
      other->engine().ReserveCopy(0, EngineKind::kCopyIn, 25'000'000, now_ns);
  EXPECT_EQ(next.start_ns, kernel.end_ns + kMs);
  EXPECT_EQ(next_copy.start_ns, copy.end_ns);
}

TEST(Engine, KnowsTheSpeedOfLinks) {
  const TempWorld temp;
  const std::string path = temp.directory() + "/linked";
  std::ofstream(path) << "cards = 3\npeer = 10GB/s\ncopy_latency = 0ns\n[links]\n0-1 = NV4\n";
  const auto world = temp.Open({.file = path});
  EXPECT_EQ(world->engine().PeerCopyNs(0, 1, 100'000'000), kMs);       // 4 x 25 GB/s
  EXPECT_EQ(world->engine().PeerCopyNs(1, 2, 100'000'000), 10 * kMs);  // over PCIe
}

TEST(Engine, TakesWorkOfNoDurationWithoutATurn) {
  const TempWorld temp;
  const auto owner = temp.Open();
  const auto other = temp.Open();
  owner->engine().Reserve({.duration_ns = 1000 * kMs, .ready_ns = NowNs()});
  const Interval interval = other->engine().Reserve({.duration_ns = 0, .ready_ns = 5});
  EXPECT_EQ(interval.start_ns, 5u);
  EXPECT_EQ(interval.end_ns, 5u);
}

TEST(Engine, GivesTheUtilizationOfTheLastSecond) {
  const TempWorld temp;
  const auto world = temp.Open();
  const uint64_t start_ns = NowNs();
  for (int i = 0; i < 30; ++i) {  // 4 of every 10 ms
    WaitUntil(start_ns + i * 10 * kMs);
    world->engine().Reserve({.duration_ns = 4 * kMs, .ready_ns = start_ns + i * 10 * kMs});
  }
  WaitUntil(start_ns + 300 * kMs);
  EXPECT_NEAR(world->engine().Utilization(0, EngineKind::kCompute, 200 * kMs), 0.4, 0.05);
  EXPECT_NEAR(world->engine().UtilizationOf(0, EngineKind::kCompute, 200 * kMs, world->self()), 0.4,
              0.05);
  EXPECT_EQ(world->engine().Utilization(1, EngineKind::kCompute, 200 * kMs), 0.0);
}

}  // namespace
}  // namespace simgpu::world
