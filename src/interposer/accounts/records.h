// Things of which a process has few and that others point to: never moved, never unmapped, used
// again when returned. Zeroed memory is a valid, empty Records. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/guest/fork_wiped.h"
#include "interposer/guest/lock.h"

namespace warpshare::interposer {

template <typename Record>
class Records {
 public:
  // Null without memory. The contents are those of its last use, zero at first.
  Record* Take() {
    const guest::LockGuard guard(lock_);
    for (Page* page = pages_.load(std::memory_order_relaxed);; page = page->next) {
      if (page == nullptr) page = AddPage();
      if (page == nullptr) return nullptr;
      for (Slot& slot : page->slots) {
        if (slot.is_taken.load(std::memory_order_acquire)) continue;
        slot.is_taken.store(true, std::memory_order_relaxed);
        return &slot.record;
      }
    }
  }

  void Return(Record* record) {
    ForEachSlot([record](Slot& slot) {
      if (&slot.record == record) slot.is_taken.store(false, std::memory_order_release);
    });
  }

  // Those taken; what is taken or returned meanwhile may be visited or not.
  template <typename Visit>
  void ForEach(Visit visit) {
    ForEachSlot([&visit](Slot& slot) {
      if (slot.is_taken.load(std::memory_order_acquire)) visit(slot.record);
    });
  }

 private:
  struct Slot {
    std::atomic<bool> is_taken;
    Record record;
  };
  struct Page {
    Page* next;
    Slot slots[32];
  };

  Page* AddPage() {
    auto* page = static_cast<Page*>(guest::MapZeroed(sizeof(Page), /*wiped=*/false));
    if (page == nullptr) return nullptr;
    page->next = pages_.load(std::memory_order_relaxed);
    pages_.store(page, std::memory_order_release);
    return page;
  }

  template <typename Visit>
  void ForEachSlot(Visit visit) {
    for (Page* page = pages_.load(std::memory_order_acquire); page != nullptr; page = page->next) {
      for (Slot& slot : page->slots) visit(slot);
    }
  }

  guest::Lock lock_;  // of taking
  std::atomic<Page*> pages_;
};

}  // namespace warpshare::interposer
