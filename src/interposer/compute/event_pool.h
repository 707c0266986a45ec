// The events that laps are timed with: made when they are needed and used again. A context that
// finds none free takes the place of another's. What is in use is not counted but looked up when
// the pool runs out (Laps::Collect).
//
// One user at a time.
#pragma once

#include <cstdint>

#include "abi/driver/cuda_types.h"

namespace warpshare::interposer {

// 1 + a place in the pool; 0: none.
using EventId = uint16_t;

class EventPool {
 public:
  static constexpr uint32_t kEvents = 128;

  struct Marks {
    uint64_t words[kEvents / 64];
    void Set(EventId id) {
      if (id != 0) words[(id - 1) / 64] |= uint64_t{1} << (id - 1) % 64;
    }
  };

  // Of the context; 0: none is free, or the driver makes none.
  EventId Take(CUcontext context);
  CUevent EventOf(EventId id) const { return events_[id - 1].event; }
  CUcontext ContextOf(EventId id) const { return events_[id - 1].context; }

  // All that are not marked are free.
  void FreeAllBut(const Marks& in_use) { in_use_ = in_use; }

  // Its events went with it. Null: all may have; those that did not live as long as their context.
  void Forget(CUcontext context);

 private:
  struct Pooled {
    CUevent event;
    CUcontext context;
  };

  EventId TakeAt(uint32_t place, CUcontext context);
  bool IsInUse(uint32_t place) const { return (in_use_.words[place / 64] >> place % 64 & 1) != 0; }

  Pooled events_[kEvents] = {};
  Marks in_use_ = {};
  uint32_t next_ = 0;
};

}  // namespace warpshare::interposer
