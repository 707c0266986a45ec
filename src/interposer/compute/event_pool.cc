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
  for (uint32_t tried = 0; tried < kEvents; ++tried) {
    const uint32_t place = next_;
    next_ = (next_ + 1) % kEvents;
    Pooled& pooled = events_[place];
    const bool is_new = pooled.event == nullptr;
    if (IsInUse(place) || (!is_new && pooled.context != context)) continue;
    if (is_new) pooled = {.event = Make(context), .context = context};
    if (pooled.event == nullptr) return 0;
    const auto id = static_cast<EventId>(place + 1);
    in_use_.Set(id);
    return id;
  }
  return 0;
}

void EventPool::Forget(CUcontext context) {
  for (Pooled& pooled : events_) {
    if (context == nullptr || pooled.context == context) pooled = {};
  }
}

}  // namespace warpshare::interposer
