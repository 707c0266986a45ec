// Device pointers: what cuMemAlloc and its kin give, and cuMemFree and cuMemFreeAsync take.
#pragma once

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"

namespace warpshare::interposer {

// Whether the driver has nothing at `pointer`: said by a refusal to free it, and asked once more,
// as the refusal may be for another argument.
bool IsUnknownPointer(CUdeviceptr pointer, CUresult refusal);

void FreeUnremembered(uint64_t pointer);

// Allocates `bytes` by `call`. `Address` is CUdeviceptr, or unsigned int before CUDA 3.2.
template <typename Address, typename Call>
CUresult AllocateLinear(Address* pointer, uint64_t bytes, Call call) {
  const Place place = pointer == nullptr || bytes == 0 ? Place{} : CurrentCard();
  if (!place) return call();
  return AllocateCharged(
      {.table = Accounts::OfProcess().pointers, .place = place, .bytes = bytes}, call,
      [pointer] { return uint64_t{*pointer}; }, FreeUnremembered);
}

// Frees at once, by a cuMemFree of the driver.
template <typename Address>
CUresult FreeLinear(Address pointer, CUresult (*call)(Address)) {
  return FreeCharged(
      Accounts::OfProcess().pointers, pointer, [=] { return call(pointer); },
      [=](CUresult refusal) { return IsUnknownPointer(pointer, refusal); });
}

// Ends a free that was asked for in stream order.
void EndFreeInOrder(CUdeviceptr pointer, CUstream stream, const Live& live, CUresult result);

// Frees when the stream gets there, by a cuMemFreeAsync of the driver. `stream`: with the default
// stream that the function called means by 0.
template <typename Call>
CUresult FreeLinearInOrder(CUdeviceptr pointer, CUstream stream, Call call) {
  Live live;
  if (Session::Current() == nullptr || pointer == 0 ||
      !Accounts::OfProcess().pointers.Take(pointer, live)) {
    return call();
  }
  const CUresult result = call();
  EndFreeInOrder(pointer, stream, live, result);
  return result;
}

}  // namespace warpshare::interposer
