// A limit that is set while processes of several threads allocate without one.
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/memory/api.h"

namespace warpshare::testing {
namespace {

constexpr int kProcesses = 3;
constexpr int kThreads = 2;
constexpr uint64_t kMostHeld = 40;  // by a thread, of up to kMiB each

// What the processes and the test say to each other.
struct Board {
  std::atomic<uint64_t> calls[kProcesses][kThreads];  // that returned
  std::atomic<bool> is_over;
};

class LiveLimitTest : public MemoryTest {
 protected:
  LiveLimitTest() {
    tenant_.limits().card_count = 1;
    tenant_.SetLimit(0, abi::kNoLimit);
    void* page =
        mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    board_ = new (page) Board;
  }
  ~LiveLimitTest() override { munmap(board_, sizeof(Board)); }

  pid_t StartBusyProcess(int process) {
    return StartBareTenant([this, process](Tenant& tenant) {
      tenant.MakeContext();
      std::vector<std::thread> threads;
      for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] { AllocateAndFree(tenant, board_->calls[process][i], i); });
      }
      for (std::thread& thread : threads) thread.join();
    });
  }

  void AllocateAndFree(Tenant& tenant, std::atomic<uint64_t>& calls, int seed) const {
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
    std::minstd_rand random(static_cast<unsigned>(seed + 1));
    std::vector<CUdeviceptr> held;
    while (!board_->is_over) {
      CUdeviceptr pointer = 0;
      const bool takes = held.size() < kMostHeld && random() % 8 < 5;
      if (takes &&
          CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 1 + random() % kMiB) == CUDA_SUCCESS) {
        held.push_back(pointer);
      } else if (!held.empty()) {
        std::swap(held[random() % held.size()], held.back());
        EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(held.back()), CUDA_SUCCESS);
        held.pop_back();
      }
      ++calls;
    }
    for (const CUdeviceptr pointer : held) CALL(tenant.cuda, cuMemFree_v2)(pointer);
  }

  // Until every thread of the processes from `first` on has made so many calls more.
  void AwaitCalls(uint64_t more, int first = 0) const {
    for (int process = first; process < kProcesses; ++process) {
      for (const std::atomic<uint64_t>& calls : board_->calls[process]) {
        for (const uint64_t until = calls + more; calls < until;) std::this_thread::yield();
      }
    }
  }

  // Calls are through that may have begun under another limit; from here on the use only sinks
  // until it is within `limit`, and never passes it again.
  void ExpectKept(uint64_t limit) {
    uint64_t before = UINT64_MAX;
    for (int look = 0; look < 20'000; ++look) {
      const uint64_t used = tenant_.UsedBytes();
      ASSERT_TRUE(used <= limit || used <= before) << used << " after " << before;
      before = used;
    }
  }

  Board* board_;
};

TEST_F(LiveLimitTest, Scenario12_HoldsForAllWhoAllocateAsSoonAsItIsSeen) {
  std::vector<pid_t> processes;
  for (int i = 0; i < kProcesses; ++i) processes.push_back(StartBusyProcess(i));
  AwaitCalls(1000);
  for (int round = 0; round < 5; ++round) {
    const uint64_t limit = tenant_.UsedBytes() * 3 / 4;
    tenant_.SetLimit(0, limit);
    AwaitCalls(2);
    ExpectKept(limit);
    tenant_.SetLimit(0, abi::kNoLimit);
    AwaitCalls(300);
  }
  board_->is_over = true;
  for (const pid_t process : processes) EXPECT_EQ(AwaitChild(process), 0);
  EXPECT_EQ(tenant_.UsedBytes(), kProcesses * kMiB);  // contexts, which went with their processes
}

TEST_F(LiveLimitTest, CountsWhatAKilledProcessHeldWithoutOneAsFree) {
  std::vector<pid_t> processes;
  for (int i = 0; i < kProcesses; ++i) processes.push_back(StartBusyProcess(i));
  AwaitCalls(1000);
  kill(processes[0], SIGKILL);
  AwaitChild(processes[0]);
  AwaitCalls(100, /*first=*/1);
  board_->is_over = true;
  for (int i = 1; i < kProcesses; ++i) EXPECT_EQ(AwaitChild(processes[i]), 0);
  tenant_.SetLimit(0, 100 * kMiB);
  InBareTenant([](Tenant& tenant) {
    tenant.MakeContext();
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 99 * kMiB + 1), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 99 * kMiB), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), tenant.OnCard());
  });
}

}  // namespace
}  // namespace warpshare::testing
