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

// Taken out before the driver frees it, who may give the address out again at once.
bool IpcMemory::Take(CUdeviceptr pointer, Exported& exported) {
  const guest::LockGuard guard(lock_);
  return exported_.Take(pointer, exported.live) && exported_in_.Take(pointer, exported.slot);
}

bool IpcMemory::IsBack(CUdeviceptr pointer, const Exported& exported, CUresult result) {
  if (result == CUDA_SUCCESS || IsUnknownPointer(pointer, result)) return false;
  const guest::LockGuard guard(lock_);
  return exported_.PutBack(pointer, exported.live) && exported_in_.PutBack(pointer, exported.slot);
}

CUresult IpcMemory::Free(CUdeviceptr pointer, DriverCall call) {
  Exported exported;
  if (!Take(pointer, exported)) return call();
  const CUresult result = call();
  if (!IsBack(pointer, exported, result))
    Session::Current()->Leave(ledger::Unpack(exported.slot.owner));
  return result;
}

CUresult IpcMemory::FreeInOrder(CUdeviceptr pointer, CUstream stream, DriverCall call) {
  Exported exported;
  if (!Take(pointer, exported)) return call();
  const CUresult result = call();
  if (IsBack(pointer, exported, result)) return result;
  const bool is_own =
      Session::Current()->Leave(ledger::Unpack(exported.slot.owner), Session::Bytes::kBecomeOwn);
  if (is_own) BuryInOrder(exported.live, stream);
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

// Counted before the driver closes it: of several threads that do, each counts once.
CUresult IpcMemory::Close(CUdeviceptr pointer, DriverCall call) {
  Live opened;
  Live slot;
  bool is_last = false;
  bool is_known = false;
  {
    const guest::LockGuard guard(lock_);
    is_known = opened_.Update(pointer, [&](Live& live) { is_last = --live.bytes == 0; });
    is_last = is_last && opened_.Take(pointer, opened) && opened_in_.Take(pointer, slot);
  }
  const CUresult result = call();
  if (!is_known) return result;
  const guest::LockGuard guard(lock_);
  if (result != CUDA_SUCCESS) {
    const bool is_back =
        !is_last || (opened_.PutBack(pointer, opened) && opened_in_.PutBack(pointer, slot));
    if (is_back) opened_.Update(pointer, [](Live& live) { ++live.bytes; });
    is_last = !is_back;
  }
  if (is_last) LeaveIfClosed(slot);
  return result;
}

void IpcMemory::EndOpened(CUdeviceptr pointer) {
  Live slot;
  if (opened_in_.Take(pointer, slot)) LeaveIfClosed(slot);
}

// It may be open in another context, too.
void IpcMemory::LeaveIfClosed(const Live& slot) {
  if (!opened_in_.HasAnyOf(slot.owner)) Session::Current()->Leave(ledger::Unpack(slot.owner));
}

}  // namespace warpshare::interposer
