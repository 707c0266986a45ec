// Faults of cards (XIDs) as NVML tells them, and what a card answers. The library stays open and
// initialised for as long as the object lives.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "platform/nvml/nvml.h"
#include "result/result.h"
#include "types/gpu_uuid.h"

namespace warpshare::platform {

struct CardFault {
  std::optional<GpuUuid> card;  // none: the driver does not say, it may be any
  uint64_t xid;
};

class CardEvents {
 public:
  // Opens libnvidia-ml.so.1 in that folder; asks no card anything.
  static Result<std::unique_ptr<CardEvents>> Open(const std::string& driver_folder);
  virtual ~CardEvents() = default;

  // The next fault, of the cards that were asked before; none within the time. From one thread.
  virtual std::optional<CardFault> Wait(std::chrono::milliseconds patience) = 0;

  // The memory in use on it; none: it does not answer. From any thread, but for one card from one:
  // a card that hangs may never let it return (question.h).
  virtual std::optional<Bytes> Ask(const Card& card) = 0;
};

}  // namespace warpshare::platform
