// Memory that leaves this process, and memory that came to it (ledger/memory_slot.h).
#include "interposer/session/liveness.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

using ledger::MemoryName;
using ledger::MemorySlot;

SlotSet Session::OwnSlots() const {
  SlotSet own{};
  own.Add(slot());
  for (uint32_t i = 0; i < held_count_; ++i) own.Add(held_[i].slot);
  return own;
}

bool Session::IsHeld(uint32_t slot) const {
  for (uint32_t i = 0; i < held_count_; ++i)
    if (held_[i].slot == slot) return true;
  return false;
}

uint64_t Session::MovedBytes(uint32_t card) const {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < held_count_; ++i)
    if (held_[i].is_made && held_[i].card == card) bytes += held_[i].bytes;
  return bytes;
}

MemorySlot Session::MoveOut(uint32_t card, uint64_t bytes, const MemoryName& name) {
  const guest::LockGuard guard(lock_);
  if (IsClosed() || !HoldsSlot()) return {};
  HoldDescriptor();
  const MemorySlot memory =
      TakeFreeSlot({.first = abi::kProcessSlots, .end = abi::kMaxSlots}, ledger::OwnerOf(name));
  if (!memory) return {};
  ShareSlotLock(pages_.usage_fd, memory.slot);
  held_[held_count_++] = {.slot = memory.slot,
                          .generation = memory.generation,
                          .bytes = bytes,
                          .card = card,
                          .is_made = true};
  accounts_[card].MoveTo(memory.slot, bytes);
  return memory;
}

// Whoever finds nobody at the lock takes the bytes back, so that it is asked once more what memory
// that is when the lock is ours.
bool Session::Join(const MemorySlot& memory) {
  const guest::LockGuard guard(lock_);
  if (IsHeld(memory.slot)) return ledger::IsThere(usage(), memory);
  HoldDescriptor();
  if (ShareSlotLock(pages_.usage_fd, memory.slot) < 0) return false;
  if (!ledger::IsThere(usage(), memory)) {
    UnlockSlot(pages_.usage_fd, memory.slot);
    return false;
  }
  held_[held_count_++] = {.slot = memory.slot,
                          .generation = memory.generation,
                          .bytes = 0,
                          .card = 0,
                          .is_made = false};
  return true;
}

// If the program has closed our descriptor, the locks from before it are of a file that only our
// mapping keeps open: they end with this process, and so does the charge.
bool Session::Leave(const MemorySlot& memory, Bytes bytes) {
  const guest::LockGuard guard(lock_);
  uint32_t i = 0;
  while (i < held_count_ && held_[i].memory() != memory) ++i;
  if (i == held_count_) return false;
  HoldDescriptor();
  const HeldMemory held = held_[i];
  held_[i] = held_[--held_count_];
  if (held.is_made) ledger::LetGo(usage(), memory);
  UnlockSlot(pages_.usage_fd, memory.slot);
  // The last one takes its bytes back; of two who leave at the same time one gets this lock.
  const bool is_last = LockSlot(pages_.usage_fd, memory.slot) == 0;
  const bool is_back = is_last && held.is_made && bytes == Bytes::kBecomeOwn;
  CardAccount& account = accounts_[held.card];
  if (is_back) {
    account.MoveBack(memory, held.bytes);
  } else if (is_last) {
    ledger::GiveBackDead(usage(), memory.slot, memory.generation);
  }
  if (is_last) UnlockSlot(pages_.usage_fd, memory.slot);
  if (held.is_made && !is_back) account.EndMoved(held.bytes);
  return is_back;
}

}  // namespace warpshare::interposer
