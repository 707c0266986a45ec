// One piece of work in a stream. Work that takes card time (kernels, copies) is given an interval
// on the card's timeline; `effect` moves its data and runs in real time, not before the interval
// begins and after everything before it in the stream, in the executor's thread, in the thread that
// waits for it, or in the one that submits it if it is due at once. An Op can be copied: graphs
// enqueue theirs again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "simgpu/cuda/stream/completion.h"

namespace simgpu::cuda {

enum class OpKind : uint8_t {
  kKernel,        // `amount` ns of the compute engine
  kCopy,          // `amount` bytes over the engine that `route` names
  kEffect,        // `effect` alone, in no time: frees, small writes
  kHostFunction,  // `effect` is the program's code; the stream waits while it runs
  kPoll,          // the stream waits until `ready` says true
  kMark,          // reaches `completion`; what follows begins `amount` ns later
  kWait,          // waits for `completion`
};

enum class CopyRoute : uint8_t { kHostToDevice, kDeviceToHost, kDeviceToDevice, kPeer };

struct Op {
  OpKind kind = OpKind::kEffect;
  CopyRoute route = CopyRoute::kDeviceToDevice;
  uint64_t amount = 0;
  int peer_card = -1;           // kPeer: the card at the other end
  uint64_t not_before_ns = 0;   // set by the stream: when it was enqueued, or others let it start
  bool duration_fixed = false;  // `amount` has become ns of engine time still to be placed
  bool subscribed = false;      // kWait: it is known where to wake this stream
  std::function<void()> effect{};
  std::function<bool()> ready{};
  std::shared_ptr<Completion> completion{};

  static Op Kernel(uint64_t duration_ns) {
    return {.kind = OpKind::kKernel, .amount = duration_ns};
  }
  static Op Copy(CopyRoute route, uint64_t bytes, std::function<void()> effect) {
    return {.kind = OpKind::kCopy, .route = route, .amount = bytes, .effect = std::move(effect)};
  }
  static Op PeerCopy(int peer_card, uint64_t bytes, std::function<void()> effect) {
    Op op = Copy(CopyRoute::kPeer, bytes, std::move(effect));
    op.peer_card = peer_card;
    return op;
  }
  static Op Effect(std::function<void()> effect) {
    return {.kind = OpKind::kEffect, .effect = std::move(effect)};
  }
  static Op HostFunction(std::function<void()> function) {
    return {.kind = OpKind::kHostFunction, .effect = std::move(function)};
  }
  static Op Poll(std::function<bool()> ready) {
    return {.kind = OpKind::kPoll, .ready = std::move(ready)};
  }
  static Op Mark(std::shared_ptr<Completion> completion, uint64_t cost_ns = 0) {
    return {.kind = OpKind::kMark, .amount = cost_ns, .completion = std::move(completion)};
  }
  static Op Wait(std::shared_ptr<Completion> completion) {
    return {.kind = OpKind::kWait, .completion = std::move(completion)};
  }
};

}  // namespace simgpu::cuda
