// Faults of cards (XIDs) as NVML tells them, and whether a card answers. The library stays open and
// initialised for as long as the object lives.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "result/result.h"
#include "types/gpu_uuid.h"

namespace warpshare::platform {

struct CardFault {
  std::optional<GpuUuid> card;  // none: the driver does not say, it may be any
  uint64_t xid;
};

// From one thread.
class CardEvents {
 public:
  // Opens libnvidia-ml.so.1 in that folder. Cards that cannot report faults are left out.
  static Result<std::unique_ptr<CardEvents>> Open(const std::string& driver_folder);
  virtual ~CardEvents() = default;

  // The next fault; none within the time.
  virtual std::optional<CardFault> Wait(std::chrono::milliseconds patience) = 0;

  virtual bool DoesAnswer(const GpuUuid& card) = 0;
};

}  // namespace warpshare::platform
