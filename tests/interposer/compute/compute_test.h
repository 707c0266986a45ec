// A tenant's program on a card whose time is shared out, and the words that its tests have in
// common. The library is met as programs meet it, the arbiter is the test (turns.h).
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "compute/turns.h"
#include "memory/tenant_process.h"

namespace warpshare::testing {

// In the tenant's process, with a context current.
class Program {
 public:
  explicit Program(Tenant& tenant);

  // One that lasts as long as its name says: "spin_200us".
  CUfunction Kernel(const std::string& name);
  CUstream NewStream();
  // Memory of the host that the card can wait on.
  struct Flag {
    std::atomic<uint32_t>* word;
    CUdeviceptr address;
  };
  Flag NewFlag();

  CUresult Launch(CUfunction kernel, CUstream stream = nullptr);
  CUresult LaunchShaped(CUfunction kernel, unsigned threads, CUstream stream = nullptr);
  // Of one that lasts as its grid says: the blocks have 1,024 threads each.
  CUresult LaunchGrid(CUfunction kernel, unsigned blocks);
  // Of one whose name ends in _arg0us.
  CUresult LaunchFor(uint64_t us, CUfunction kernel, CUstream stream = nullptr);
  void LaunchMany(int count, CUfunction kernel, CUstream stream = nullptr);
  void Synchronize();
  // In the calling thread and a stream of its own, one at a time.
  void LaunchAndWaitInThread(CUfunction kernel, int count);
  // A graph of `kernels` of them, one after the other.
  CUgraphExec NewGraph(CUfunction kernel, int kernels);
  CUresult LaunchGraph(CUgraphExec exec, CUstream stream = nullptr);
  // The same graph to whoever launches it, but of another kernel: by the tenant's call, and behind
  // the library's back, as a kernel lasts as long as its data wants.
  void Update(CUgraphExec exec, CUfunction kernel);
  void Replace(CUgraphExec exec, CUfunction kernel);

  Tenant& tenant() { return tenant_; }

 private:
  CUgraph Record(CUfunction kernel, int kernels);

  Tenant& tenant_;
  CUmodule module_ = nullptr;
};

// A call in a thread of its own, in the tenant's context.
class CallBeside {
 public:
  CallBeside(Tenant& tenant, std::function<CUresult()> call);
  ~CallBeside() { thread_.join(); }
  CallBeside(const CallBeside&) = delete;
  CallBeside& operator=(const CallBeside&) = delete;

  bool HasReturned() const { return has_returned_; }
  bool ReturnsInTime() const {
    return Eventually([this] { return HasReturned(); });
  }
  CUresult result() const { return result_; }  // once it has returned
  // The kernel has put the thread to sleep.
  bool IsAsleep() const;

 private:
  std::atomic<pid_t> id_{0};
  std::atomic<bool> has_returned_{false};
  std::atomic<CUresult> result_{CUDA_ERROR_UNKNOWN};
  std::thread thread_;
};

// One card, shared out; the turn is the tenant's.
class ComputeTest : public MemoryTest {
 protected:
  explicit ComputeTest(const std::string& scenario = "") : MemoryTest(scenario) {
    tenant_.limits().card_count = 1;
  }

  void InProgram(const std::function<void(Program&)>& body) {
    InTenant([&](Tenant& tenant) {
      Program program(tenant);
      body(program);
      program.Synchronize();
    });
  }

  // For a call that must wait for its turn: that it says so, waits, and goes on when it has it.
  void ExpectHeldBack(Tenant& tenant, const std::function<CUresult()>& call);
  // That it returns without a turn, and costs nothing.
  void ExpectFree(Tenant& tenant, const std::function<CUresult()>& call);

  Turns turns_{tenant_};
};

}  // namespace warpshare::testing
