// The state of an interprocess event, in memory that all its processes see: how often it was
// recorded, and up to which record everything is done. It lives in an extent of the world that
// costs no card memory; each process that makes such events has one for all of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "simgpu/cuda/result.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {

struct SharedEventState;

// What an IPC handle carries.
struct SharedEventName {
  uint64_t magic = 0;
  world::ExtentName extent;
  uint32_t index = 0;
  uint32_t reserved = 0;
  uint64_t serial = 0;
};

class SharedEvent {
 public:
  static CUresult Create(int card, std::shared_ptr<SharedEvent>* event);
  // CUDA_ERROR_INVALID_HANDLE when the event is gone, or the name is none.
  static CUresult Open(const SharedEventName& name, std::shared_ptr<SharedEvent>* event);

  ~SharedEvent();

  SharedEventName name() const { return name_; }

  // A record in stream order: Begin when it is enqueued, Reach with its answer when it is reached.
  uint64_t Begin();
  void Reach(uint64_t record);

  // The latest record so far, and whether it is done. A record whose process has died is.
  uint64_t Latest() const;
  bool Done(uint64_t record) const;
  bool DoneOrOrphaned(uint64_t record);

 private:
  SharedEvent(const SharedEventName& name, SharedEventState* state) : name_(name), state_(state) {}

  const SharedEventName name_;
  SharedEventState* const state_;
  bool ours_ = false;
  world::Extent held_;         // for opened ones
  uint64_t next_look_ns_ = 0;  // at whether the recorder lives
};

}  // namespace simgpu::cuda
