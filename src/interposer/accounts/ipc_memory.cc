#include "interposer/accounts/ipc_memory.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/accounts/linear.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

using ledger::MemorySlot;

namespace {

Live InSlot(const MemorySlot& memory) {
  return {.bytes = 0, .card = abi::kMaxCards, .kind = 0, .owner = ledger::Pack(memory)};
}

ledger::MemoryName NameOf(const CUipcMemHandle& handle) {
  uint64_t words[sizeof(handle) / sizeof(uint64_t)];
  __builtin_memcpy(words, &handle, sizeof(words));
  uint64_t name = 1;
  for (const uint64_t word : words) name = (name ^ word) * 0x9e3779b97f4a7c15 + (name >> 29);
  return {.pid = 0, .pid_namespace = 0, .serial = 0, .common = name};
}

}  // namespace

void IpcMemory::NoteExport(const CUipcMemHandle& handle, CUdeviceptr pointer) {
  LiveTable& pointers = Accounts::pointers();
  CUdeviceptr base = 0;
  Live live;
  Live replaced;
  if (REAL(cuMemGetAddressRange_v2)(&base, nullptr, pointer) != CUDA_SUCCESS) return;
  const guest::LockGuard guard(lock_);
  if (!pointers.TakeOf(static_cast<int>(Charged::kItself), base, live)) return;
  const MemorySlot memory = live.card < abi::kMaxCards
                                ? Session::Current()->MoveOut(live.card, live.bytes, NameOf(handle))
                                : MemorySlot{};
  if (!memory) {
    if (!pointers.PutBack(base, live)) Bury(live);
    return;
  }
  // Without memory to remember it in, it stays charged until this process ends.
  (void)exported_.Add(base, live, replaced);
  (void)exported_in_.Add(base, InSlot(memory), replaced);
}

CUresult IpcMemory::Free(CUdeviceptr pointer, DriverCall call) {
  Live live;
  if (!exported_.Take(pointer, live)) return call();
  const CUresult result = call();
  const guest::LockGuard guard(lock_);
  if (result == CUDA_SUCCESS || IsUnknownPointer(pointer, result) ||
      !exported_.PutBack(pointer, live))
    EndExported(pointer);
  return result;
}

CUresult IpcMemory::FreeInOrder(CUdeviceptr pointer, CUstream stream, DriverCall call) {
  Live live;
  Live slot;
  if (!exported_.Take(pointer, live)) return call();
  const CUresult result = call();
  bool is_back = false;
  {
    const guest::LockGuard guard(lock_);
    const bool is_freed = result == CUDA_SUCCESS;
    if (is_freed && exported_in_.Take(pointer, slot))
      is_back = Session::Current()->Leave(ledger::Unpack(slot.owner), Session::Bytes::kBecomeOwn);
    if (!is_freed && (IsUnknownPointer(pointer, result) || !exported_.PutBack(pointer, live)))
      EndExported(pointer);
  }
  if (is_back) BuryInOrder(live, stream);
  return result;
}

void IpcMemory::EndExported(CUdeviceptr pointer) {
  Live slot;
  if (exported_in_.Take(pointer, slot)) Session::Current()->Leave(ledger::Unpack(slot.owner));
}

void IpcMemory::NoteOpened(const CUipcMemHandle& handle, CUdeviceptr pointer) {
  Session& session = *Session::Current();
  if (session.IsClosed()) return;
  const guest::LockGuard guard(lock_);
  if (opened_.Update(pointer, [](Live& live) { ++live.bytes; })) return;
  const MemorySlot memory = ledger::FindMemory(session.usage(), NameOf(handle));
  if (!memory || !session.Join(memory)) return;
  Live replaced;
  const Live once{.bytes = 1,
                  .card = abi::kMaxCards,
                  .kind = static_cast<uint8_t>(Charged::kItself),
                  .owner = OwnerOf(CurrentPlace().context)};
  (void)opened_.Add(pointer, once, replaced);
  (void)opened_in_.Add(pointer, InSlot(memory), replaced);
}

void IpcMemory::NoteClosed(CUdeviceptr pointer) {
  const guest::LockGuard guard(lock_);
  bool is_last = false;
  opened_.Update(pointer, [&](Live& live) { is_last = --live.bytes == 0; });
  Live live;
  if (is_last && opened_.Take(pointer, live)) EndOpened(pointer);
}

// It may be open in another context, too.
void IpcMemory::EndOpened(CUdeviceptr pointer) {
  Live slot;
  if (opened_in_.Take(pointer, slot) && !opened_in_.HasAnyOf(slot.owner))
    Session::Current()->Leave(ledger::Unpack(slot.owner));
}

}  // namespace warpshare::interposer
