#include "interposer/compute/event_pool.h"

#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// An event belongs to the context that is current when it is made.
CUevent Make(CUcontext context) {
  CUcontext current = nullptr;
  if (REAL(cuCtxGetCurrent)(&current) != CUDA_SUCCESS) return nullptr;
  if (current != context && REAL(cuCtxPushCurrent_v2)(context) != CUDA_SUCCESS) return nullptr;
  CUevent event = nullptr;
  if (REAL(cuEventCreate)(&event, CU_EVENT_DEFAULT) != CUDA_SUCCESS) event = nullptr;
  if (current != context) REAL(cuCtxPopCurrent_v2)(&context);
  return event;
}

}  // namespace

EventId EventPool::Take(CUcontext context) {
  uint32_t anothers = kEvents;
  for (uint32_t tried = 0; tried < kEvents; ++tried) {
    const uint32_t place = next_;
    next_ = (next_ + 1) % kEvents;
    if (IsInUse(place)) continue;
    if (events_[place].event == nullptr || events_[place].context == context)
      return TakeAt(place, context);
    if (anothers == kEvents) anothers = place;
  }
  if (anothers == kEvents) return 0;
  REAL(cuEventDestroy_v2)(events_[anothers].event);
  events_[anothers] = {};
  return TakeAt(anothers, context);
}

EventId EventPool::TakeAt(uint32_t place, CUcontext context) {
  Pooled& pooled = events_[place];
  if (pooled.event == nullptr) pooled = {.event = Make(context), .context = context};
  if (pooled.event == nullptr) return 0;
  const auto id = static_cast<EventId>(place + 1);
  in_use_.Set(id);
  return id;
}

void EventPool::Forget(CUcontext context) {
  for (Pooled& pooled : events_) {
    if (context == nullptr || pooled.context == context) pooled = {};
  }
}

}  // namespace warpshare::interposer
