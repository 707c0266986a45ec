// Scenario 3: many processes of many threads allocate and free every family, and the sum of all
// they hold never passes the limit: not in the ledger, not on the card. WARPSHARE_STORM_SECONDS
// says for how long.
#include <stdlib.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "ledger/card_ledger.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/stream/api.h"
#include "storm/families.h"

namespace warpshare::testing {
namespace {

constexpr int kProcesses = 64;
constexpr int kThreads = 16;
constexpr size_t kMostHeld = 6;  // by a thread

int Seconds() {
  const char* set = getenv("WARPSHARE_STORM_SECONDS");
  return set == nullptr ? 8 : atoi(set);
}

// What the processes tell the test, and each other.
struct Tally {
  std::atomic<int> started;  // processes with a context
  std::atomic<uint64_t> made[16];
  std::atomic<uint64_t> refused[16];
  std::atomic<uint64_t> highest_on_card;
};

class StormTest : public MemoryTest {
 protected:
  StormTest()
      : tally_(*static_cast<Tally*>(mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}

  // Nobody allocates before all have a context: one that came late could find the tenant full.
  void AwaitAll(std::chrono::steady_clock::time_point end);
  void Weather(Tenant& tenant, uint64_t seed, std::chrono::steady_clock::time_point end);

  Tally& tally_;
};

void StormTest::AwaitAll(std::chrono::steady_clock::time_point end) {
  ++tally_.started;
  while (tally_.started < kProcesses && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
}

// One thread's storm.
void StormTest::Weather(Tenant& tenant, uint64_t seed, std::chrono::steady_clock::time_point end) {
  EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
  StormThread thread{.tenant = tenant, .stream = nullptr, .random = std::mt19937_64(seed)};
  EXPECT_EQ(CALL(tenant.cuda, cuStreamCreate)(&thread.stream, CU_STREAM_NON_BLOCKING),
            CUDA_SUCCESS);
  std::vector<Undo> held;
  const auto drop = [&](size_t index) {
    EXPECT_EQ(held[index](), CUDA_SUCCESS);
    held.erase(held.begin() + static_cast<ptrdiff_t>(index));
  };
  while (std::chrono::steady_clock::now() < end && !HasFailure()) {
    const size_t family = thread.random() % kStormFamilyCount;
    if (Undo undo = kStormFamilies[family].make(thread)) {
      held.push_back(std::move(undo));
      ++tally_.made[family];
    } else {
      ++tally_.refused[family];
    }
    const uint64_t on_card = tenant.OnCard();
    uint64_t highest = tally_.highest_on_card;
    while (on_card > highest && !tally_.highest_on_card.compare_exchange_weak(highest, on_card)) {
    }
    if (held.size() > kMostHeld || (!held.empty() && thread.random() % 2 == 0)) {
      drop(thread.random() % held.size());
    }
  }
  while (!held.empty()) drop(held.size() - 1);
  EXPECT_EQ(CALL(tenant.cuda, cuStreamSynchronize)(thread.stream), CUDA_SUCCESS);
}

TEST_F(StormTest, Scenario03_TheSumNeverPassesTheLimitAndEndsAtZero) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(Seconds());
  std::vector<pid_t> processes;
  for (int process = 0; process < kProcesses; ++process) {
    processes.push_back(StartBareTenant([&](Tenant& tenant) {
      tenant.MakeContext();
      AwaitAll(end);
      std::vector<std::thread> threads;
      for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
          Weather(tenant, static_cast<uint64_t>(process * kThreads + thread), end);
        });
      }
      for (std::thread& thread : threads) thread.join();
      EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(0), CUDA_SUCCESS);
    }));
  }
  for (const pid_t process : processes) EXPECT_EQ(AwaitChild(process), 0);

  for (size_t family = 0; family < kStormFamilyCount; ++family) {
    printf("%10s: %8lu made %8lu refused\n", kStormFamilies[family].name,
           tally_.made[family].load(), tally_.refused[family].load());
    EXPECT_GT(tally_.made[family], 0u) << kStormFamilies[family].name;
  }
  const ledger::CardLedger ledger(tenant_.usage(), 0);
  EXPECT_LE(ledger.PeakBytes(), kLimit);
  EXPECT_LE(tally_.highest_on_card, kLimit);
  EXPECT_EQ(ledger.TotalBytes(), 0u);
  // Measured while everything else came and went.
  const abi::CardUsageV1& learned = tenant_.usage().cards[0];
  EXPECT_EQ(learned.context_bytes, kMiB);
  EXPECT_EQ(learned.code_least_plus_1, kMiB + 1);
  EXPECT_EQ(learned.code_most, kMiB);
  InTenant([](Tenant& tenant) { EXPECT_EQ(tenant.OnCard(), tenant.Charged()); });
}

}  // namespace
}  // namespace warpshare::testing
