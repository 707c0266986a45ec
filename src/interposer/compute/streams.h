// What is known of each stream's work, by the stream's handle. A small table without chains: two
// streams that meet in it take turns, and are measured less.
//
// Any thread, no lock: threads that submit to one stream at the same time may lose a part of what
// is said of it here, never of what the tenant is charged.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/driver/cuda_handles.h"

namespace warpshare::interposer {

class Cost;

struct alignas(64) StreamState {
  std::atomic<uint64_t> stream;     // StreamTable's name of it
  std::atomic<uint64_t> end_ns;     // when its work is expected to be done
  std::atomic<uint64_t> lap_ns;     // submitted since the lap began
  std::atomic<uint64_t> lap_cost;   // where the cost of each of it is kept; 0: none yet
  std::atomic<uint32_t> lap_count;  // submissions
  std::atomic<uint16_t> lap_event;  // at which it began; 0: no lap (event_pool.h)
  std::atomic<bool> is_held;        // it waits for something that is not the card's to end
  std::atomic<uint64_t> look_ns;    // when to look whether the lap before left it dry; 0: seen
  // So far every submission reads; what follows is for a few.

  std::atomic<uint64_t> lap_ticket;      // of all streams together, when the lap began
  std::atomic<uint64_t> held_ns;         // what it was given while it waited
  std::atomic<uint64_t> lap_company_ns;  // of that, to the others
  std::atomic<uint64_t> lap_held_ns;     // of that, what the lap has: no ticket counts it
  // How often it was told to wait for something, and of these how often that was seen to be over.
  std::atomic<uint32_t> waits;
  std::atomic<uint32_t> waits_over;

  std::atomic<Cost*> woken_by;  // of what it was given when it had nothing to do, and nothing times
  std::atomic<uint64_t> seen_busy_ns;  // when the program last asked, and it had not ended

  static constexpr uint64_t kSeveral = 1;  // as lap_cost

  // What it waited for ended with its context.
  void StopWaiting() {
    is_held.store(false, std::memory_order_relaxed);
    held_ns.store(0, std::memory_order_relaxed);
    waits_over.store(waits.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }

  // It waits for nothing but the card, as far as is known.
  bool IsPlain() const {
    return waits.load(std::memory_order_relaxed) == waits_over.load(std::memory_order_relaxed);
  }

  void AddHeld(uint64_t ns) {
    held_ns.fetch_add(ns, std::memory_order_relaxed);
    lap_held_ns.fetch_add(ns, std::memory_order_relaxed);
  }

  void Add(uint64_t now_ns, uint64_t ns, const void* cost) {
    const uint64_t end = end_ns.load(std::memory_order_relaxed);
    end_ns.store((end > now_ns ? end : now_ns) + ns, std::memory_order_relaxed);
    lap_ns.store(lap_ns.load(std::memory_order_relaxed) + ns, std::memory_order_relaxed);
    lap_count.store(lap_count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    const auto kept = reinterpret_cast<uint64_t>(cost);
    const uint64_t before = lap_cost.load(std::memory_order_relaxed);
    if (before != kept) lap_cost.store(before == 0 ? kept : kSeveral, std::memory_order_relaxed);
  }
};

class StreamTable {
 public:
  // By its state, or as new.
  StreamState& Of(CUstream stream) {
    const uint64_t name = NameOf(stream);
    StreamState& state = states_[(name >> 4 ^ name >> 11) % kStreams];
    if (state.stream.load(std::memory_order_relaxed) != name) [[unlikely]]
      Begin(state, name);
    return state;
  }

  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const StreamState& state : states_) visit(state);
  }
  template <typename Visit>
  void ForEach(Visit visit) {
    for (StreamState& state : states_) visit(state);
  }

 private:
  static constexpr uint32_t kStreams = 128;

  // One handle stands for a stream of each thread.
  static uint64_t NameOf(CUstream stream) {
    const auto handle = reinterpret_cast<uint64_t>(stream);
    if (stream != CU_STREAM_PER_THREAD) return handle;
    return reinterpret_cast<uint64_t>(__builtin_thread_pointer()) | handle;
  }

  static void Begin(StreamState& state, uint64_t name) {
    state.stream.store(name, std::memory_order_relaxed);
    state.end_ns.store(0, std::memory_order_relaxed);
    state.lap_event.store(0, std::memory_order_relaxed);
    state.woken_by.store(nullptr, std::memory_order_relaxed);
    state.seen_busy_ns.store(0, std::memory_order_relaxed);
    state.StopWaiting();
  }

  StreamState states_[kStreams];
};

}  // namespace warpshare::interposer
