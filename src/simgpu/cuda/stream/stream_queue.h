// The work of one stream. Work passes through two lists: `pending` has not got its time yet,
// `in flight` has, and something is left to be done in real time (data to move, a point to report).
// Kernels need nothing in real time: once placed they are only an end time. Everything here is
// guarded by the dispatcher's mutex.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "simgpu/cuda/stream/op.h"
#include "simgpu/cuda/stream/role.h"
#include "simgpu/world/engine.h"

namespace simgpu::cuda {

class StreamQueue;

// The streams of one context that the legacy default stream waits for, and that wait for it.
struct QueueGroup {
  StreamQueue* legacy = nullptr;
  std::vector<StreamQueue*> blocking;
};

struct QueueSpec {
  int card = 0;
  StreamRole role = StreamRole::kNonBlocking;
  int priority = 0;                   // smaller is more urgent, as in CUDA
  std::shared_ptr<QueueGroup> group;  // null for branches of graphs
};

class StreamQueue : public std::enable_shared_from_this<StreamQueue> {
 public:
  explicit StreamQueue(QueueSpec spec);
  ~StreamQueue();

  // From outside: these take the mutex.
  void Enqueue(Op op);  // an effect that is due at once runs in the calling thread
  void EnqueueAndWait(Op op);
  void EnqueueAll(std::vector<Op> ops);  // one after the other, with nothing between
  std::shared_ptr<Completion> Mark();
  bool Idle();
  // Runs what is due in this stream in the calling thread until the point's data has been moved.
  void HelpUntil(const Completion& completion);
  void LeaveGroup();

  // From the dispatcher's threads, with the mutex held.
  void Advance();                               // as far as it goes without waiting
  void Place(const world::Interval& interval);  // the front of `pending` has got its time
  void HostFunctionDone(uint64_t now_ns);
  // Runs the effect that is due, if there is one; the mutex is released meanwhile.
  bool RunDueEffect(std::unique_lock<std::mutex>& lock);
  // When a thread is next needed here; UINT64_MAX: not before something else happens.
  uint64_t NextTime() const;
  bool helped() const { return helpers_ > 0; }
  world::Work NextWork() const;
  bool HasMoreFor(world::EngineKind engine) const;

  int card() const { return spec_.card; }
  int priority() const { return spec_.priority; }

  bool queued_for_advance = false;  // the dispatcher's
  bool watched = false;             // the card thread's

 private:
  struct InFlight {
    uint64_t due_ns = 0;
    std::function<void()> effect{};
    std::shared_ptr<Completion> gate{};  // another stream's point that must be reached before
    std::shared_ptr<Completion> mark{};
    bool subscribed = false;  // to the gate
  };

  // True when the front of `pending` went on.
  bool Step();
  bool StepTimed(Op& op);
  bool StepWait(Op& op);
  bool StepBarrier(Op& op);
  bool CallHostFunction(Op& op);
  void RetireWithoutEffect();
  void Push(Op op);
  void PushAll(std::vector<Op> ops);
  void Help(std::unique_lock<std::mutex>& lock, const Completion& completion);
  void StopHelping();
  void WaitForRoom(std::unique_lock<std::mutex>& lock);
  void ApplyDefaultStreamRules(uint64_t& not_before_ns);
  void WaitBehind(StreamQueue& other, uint64_t& not_before_ns);
  std::shared_ptr<Completion> MarkLocked();
  void StampIdleMark(uint64_t next_ready_ns);
  bool Settled() const { return pending_.empty() && in_flight_.empty(); }

  const QueueSpec spec_;
  std::deque<Op> pending_;
  std::deque<InFlight> in_flight_;
  uint64_t tail_ns_ = 0;                   // end of the work that has its time
  std::shared_ptr<Completion> idle_mark_;  // the last point, if the stream had nothing to do then
  uint64_t idle_mark_cost_ns_ = 0;
  uint64_t wake_ns_ = UINT64_MAX;    // the front of `pending` cannot go on before
  bool in_lane_ = false;             // it waits for its place on an engine
  bool host_running_ = false;        // it is a host function that has been called
  bool effect_running_ = false;      // of the front of `in flight`
  int helpers_ = 0;                  // threads that do the card thread's part
  std::condition_variable changed_;  // for helpers, and callers waiting for room
};

}  // namespace simgpu::cuda
