// The tenant's view of a card's memory: its limit is the total, what it may still take is free.
#include "abi/driver/cuda_handles.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/session/session.h"

namespace {

using warpshare::interposer::CardAccount;
using warpshare::interposer::Session;

uint64_t Lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

// `Word` is what the ABI variant counts bytes in: 32 bits before CUDA 3.2.
template <typename Word>
Word Fit(uint64_t bytes) {
  return static_cast<Word>(Lesser(bytes, Word(~Word{0})));
}

// Free and total as the driver has them, narrowed to the tenant's share. Over the limit (it was
// lowered) free is 0.
struct Memory {
  uint64_t free;
  uint64_t total;
};
Memory Share(const CardAccount& account, const Memory& card) {
  const uint64_t limit = account.LimitBytes();
  const uint64_t used = account.UsedBytes();
  return {.free = Lesser(card.free, limit > used ? limit - used : 0),
          .total = Lesser(card.total, limit)};
}

template <typename Word>
CUresult MemoryInfo(CUresult (*real)(Word*, Word*), Word* free_bytes, Word* total_bytes) {
  Session* session = Session::Current();
  CardAccount* account = session == nullptr ? nullptr : session->AccountOfCurrentContext();
  // Without an account it is the driver's answer; a null pointer is the driver's to judge.
  if (account == nullptr || !account->IsLimited()) return real(free_bytes, total_bytes);
  if (free_bytes == nullptr || total_bytes == nullptr) {
    if (const CUresult result = real(free_bytes, total_bytes); result != CUDA_SUCCESS)
      return result;
  }
  // The old variant's figures stop at 4 GiB, so the new one is asked in any case.
  size_t free_on_card = 0;
  size_t total_on_card = 0;
  const CUresult result = REAL(cuMemGetInfo_v2)(&free_on_card, &total_on_card);
  if (result != CUDA_SUCCESS) return result;
  session->SweepIfDue();
  const Memory share = Share(*account, {.free = free_on_card, .total = total_on_card});
  if (free_bytes != nullptr) *free_bytes = Fit<Word>(share.free);
  if (total_bytes != nullptr) *total_bytes = Fit<Word>(share.total);
  return result;
}

template <typename Word>
CUresult TotalMemory(CUresult (*real)(Word*, CUdevice), Word* bytes, CUdevice device) {
  const CUresult result = real(bytes, device);
  Session* session = Session::Current();
  if (result != CUDA_SUCCESS || session == nullptr || bytes == nullptr) return result;
  *bytes = Fit<Word>(Lesser(*bytes, session->AccountOf(device).LimitBytes()));
  return result;
}

}  // namespace

WARPSHARE_HOOK CUresult cuMemGetInfo(unsigned int* free_bytes, unsigned int* total_bytes) {
  return MemoryInfo<unsigned int>(REAL(cuMemGetInfo), free_bytes, total_bytes);
}
WARPSHARE_HOOK CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return MemoryInfo<size_t>(REAL(cuMemGetInfo_v2), free_bytes, total_bytes);
}
WARPSHARE_HOOK CUresult cuDeviceTotalMem(unsigned int* bytes, CUdevice device) {
  return TotalMemory<unsigned int>(REAL(cuDeviceTotalMem), bytes, device);
}
WARPSHARE_HOOK CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return TotalMemory<size_t>(REAL(cuDeviceTotalMem_v2), bytes, device);
}
