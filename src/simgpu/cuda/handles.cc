#include "simgpu/cuda/handles.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define SIMGPU_LEAK_SANITIZER
#endif
#endif

namespace simgpu::cuda {
namespace {

constexpr uint32_t kSlots = 4u << 20;
constexpr uint32_t kNoSlot = UINT32_MAX;
constexpr size_t kKinds = static_cast<size_t>(HandleKind::kCallback) + 1;

struct Slot {
  std::atomic<void*> object;
  std::atomic<HandleKind> kind;  // written last when a handle is made, first when it goes
  uint32_t next_free;
};
static_assert(sizeof(Slot) == 16);

// Lives as long as the process: threads may still call the driver while it exits.
class SlotTable {
 public:
  static SlotTable& Instance() {
    static SlotTable* const table = new SlotTable;
    return *table;
  }

  void* Take(HandleKind kind, void* object) {
    const std::lock_guard lock(mutex_);
    const uint32_t index = NextSlot();
    if (index == kNoSlot) return nullptr;
    Slot& slot = slots_[index];
    slot.object.store(object, std::memory_order_relaxed);
    slot.kind.store(kind, std::memory_order_release);  // pairs with Find
    ++live_[static_cast<size_t>(kind)];
    return &slot;
  }

  void GiveBack(void* handle) {
    const std::lock_guard lock(mutex_);
    Slot& slot = *static_cast<Slot*>(handle);
    --live_[static_cast<size_t>(slot.kind.load(std::memory_order_relaxed))];
    slot.kind.store(HandleKind::kFree, std::memory_order_relaxed);
    slot.object.store(nullptr, std::memory_order_relaxed);
    slot.next_free = kNoSlot;
    const uint32_t index = static_cast<uint32_t>(&slot - slots_);
    if (last_free_ != kNoSlot) slots_[last_free_].next_free = index;
    if (first_free_ == kNoSlot) first_free_ = index;
    last_free_ = index;
    ++free_;
  }

  void* Find(HandleKind kind, const void* handle) const {
    const uintptr_t offset =
        reinterpret_cast<uintptr_t>(handle) - reinterpret_cast<uintptr_t>(slots_);
    if (slots_ == nullptr || offset >= kSlots * sizeof(Slot)) return nullptr;
    if (offset % sizeof(Slot) != 0) return nullptr;
    // By the handle itself, so that the look does not wait for where the range begins.
    const Slot& slot = *static_cast<const Slot*>(handle);
    if (slot.kind.load(std::memory_order_acquire) != kind) return nullptr;
    return slot.object.load(std::memory_order_relaxed);
  }

  uint64_t Live(HandleKind kind) const {
    const std::lock_guard lock(mutex_);
    return live_[static_cast<size_t>(kind)];
  }

 private:
  // A freed slot rests until this many others are free, so that a stale handle is not soon taken
  // for a live one.
  static constexpr uint32_t kResting = 4096;

  SlotTable() {
    void* range = mmap(nullptr, kSlots * sizeof(Slot), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    slots_ = range == MAP_FAILED ? nullptr : static_cast<Slot*>(range);
    end_ = slots_ == nullptr ? kSlots : 1;
#ifdef SIMGPU_LEAK_SANITIZER
    // What the program has a handle of has not leaked; mapped memory is not searched by itself.
    if (slots_ != nullptr) __lsan_register_root_region(slots_, kSlots * sizeof(Slot));
#endif
  }

  uint32_t NextSlot() {
    if (end_ < kSlots && free_ < kResting) return end_++;
    if (first_free_ == kNoSlot) return kNoSlot;
    const uint32_t index = first_free_;
    first_free_ = slots_[index].next_free;
    if (first_free_ == kNoSlot) last_free_ = kNoSlot;
    --free_;
    return index;
  }

  mutable std::mutex mutex_;
  Slot* slots_ = nullptr;
  uint32_t end_ = 0;  // slots from here on were never used; slot 0 never is
  uint32_t first_free_ = kNoSlot;
  uint32_t last_free_ = kNoSlot;
  uint32_t free_ = 0;
  std::array<uint64_t, kKinds> live_{};
};

}  // namespace

void* NewHandle(HandleKind kind, void* object) { return SlotTable::Instance().Take(kind, object); }

void FreeHandle(void* handle) { SlotTable::Instance().GiveBack(handle); }

void* ObjectOf(HandleKind kind, const void* handle) {
  return SlotTable::Instance().Find(kind, handle);
}

uint64_t LiveHandles(HandleKind kind) { return SlotTable::Instance().Live(kind); }

}  // namespace simgpu::cuda
