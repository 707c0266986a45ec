// What the tenant sees through NVML: its own cards in the order of its limits page, its own
// processes, its limits.
//
//   if (TenantView* view = TenantView::Current()) { ... }     // null: no tenant, pass the call
//   through
//
// It opens by itself at the first call and takes no slot: asking is not using. Device handles are
// the driver's own, so whatever takes one needs no hook.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/driver/nvml_types.h"
#include "interposer/guest/lock.h"
#include "interposer/nvml/own_time.h"
#include "interposer/session/tenant_pages.h"
#include "ledger/slot_table.h"

namespace warpshare::interposer {

struct CardMemory {
  uint64_t limit;  // abi::kNoLimit: none
  uint64_t used;   // by all processes of the tenant
};

class TenantView {
 public:
  static TenantView* Current() {
    const State state = g_view.state_.load(std::memory_order_acquire);
    if (state >= State::kClosed) return &g_view;
    return state == State::kNoTenant ? nullptr : OpenOnce();
  }

  // The tenant was named but cannot be used: nvmlInit fails.
  bool IsClosed() const { return state_.load(std::memory_order_relaxed) == State::kClosed; }

  // Asks the driver for the tenant's cards. After every successful nvmlInit: the driver may give
  // other handles.
  void LearnDevices();

  uint32_t device_count() const { return device_count_.load(std::memory_order_acquire); }
  // Where the driver has the tenant's device `index` (< device_count()).
  unsigned DriverIndexOf(uint32_t index) const { return devices_[index].driver_index; }
  // Position of a handle among the tenant's devices, or -1. For IndexOf a MIG device stands where
  // its parent does; of what is not the tenant's the driver is asked, whose card may hang.
  int FindDevice(nvmlDevice_t device) const;
  int IndexOf(nvmlDevice_t device) const;

  CardMemory MemoryOf(uint32_t index);

  // The part of the card's time that the tenant's processes had of late; false where its time is
  // not shared out, so that nobody accounts for it. Asked right after the first nvmlInit, it waits
  // for a tenth of a second.
  bool TellOwnPercent(uint32_t index, unsigned int& percent);

  // Whether the driver's samples of processes have pids that mean something here (own_entries.h).
  bool KnowsSampledPids() const;

  // Whether the pid, as the driver tells it to us, is one of the tenant's processes; and what that
  // one is charged on the card.
  bool IsOwnProcess(unsigned pid) const;
  uint64_t ChargedTo(unsigned pid, uint32_t index) const;

 private:
  enum class State : uint8_t { kUndecided, kNoTenant, kClosed, kOpen };

  struct Device {
    nvmlDevice_t handle;
    unsigned driver_index;
    uint32_t card;  // position on the limits page
  };

  static TenantView* OpenOnce();
  State Open();
  bool LearnDevice(uint32_t card, Device& device) const;
  // The next slot from this one on that a living process of the pid holds, or kMaxSlots.
  uint32_t NextSlotOf(unsigned pid, uint32_t slot) const;
  bool IsExportOf(unsigned pid, uint32_t slot) const;
  void SweepIfDue();

  std::atomic<State> state_ = State::kUndecided;
  TenantPages pages_{};
  std::atomic<uint64_t> last_sweep_ns_ = 0;
  std::atomic<uint32_t> device_count_ = 0;
  Device devices_[abi::kMaxCards] = {};
  OwnTime own_times_[abi::kMaxCards] = {};  // by position on the limits page

  static TenantView g_view;
};

}  // namespace warpshare::interposer
