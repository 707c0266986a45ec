#include "interposer/accounts/pool_allocation.h"

#include "interposer/accounts/stream_order.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

bool IsDefaultPoolAt(CUmemoryPool pool, CUmemLocation location) {
  CUmemoryPool found = nullptr;
  for (const CUmemAllocationType type :
       {CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_ALLOCATION_TYPE_MANAGED}) {
    if (REAL(cuMemGetDefaultMemPool)(&found, &location, type) == CUDA_SUCCESS && found == pool) {
      return true;
    }
  }
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
         REAL(cuDeviceGetDefaultMemPool)(&found, location.id) == CUDA_SUCCESS && found == pool;
}

// Whose a pool is that the program neither made nor imported: a default pool of a device or of the
// host. One that is neither counts for the device of the call.
CardAccount* AccountOfFound(CUmemoryPool pool, const Place& place) {
  int devices = 0;
  REAL(cuDeviceGetCount)(&devices);
  for (CUdevice device = 0; device < devices; ++device) {
    if (IsDefaultPoolAt(pool, {CU_MEM_LOCATION_TYPE_DEVICE, device})) {
      return PlaceOfDevice(device).account;
    }
  }
  constexpr int kMaxHostNodes = 16;
  if (IsDefaultPoolAt(pool, {CU_MEM_LOCATION_TYPE_HOST, 0})) return nullptr;
  for (int node = 0; node < kMaxHostNodes; ++node) {
    if (IsDefaultPoolAt(pool, {CU_MEM_LOCATION_TYPE_HOST_NUMA, node})) return nullptr;
  }
  return place.account;
}

bool PinPool(const PoolRequest& request, const Place& place, PoolCall& call) {
  Pools& pools = Accounts::OfProcess().pools;
  call.pool = request.pool;
  if (call.pool == nullptr && REAL(cuDeviceGetMemPool)(&call.pool, place.device) != CUDA_SUCCESS) {
    return false;
  }
  if (!pools.IsKnown(call.pool)) {
    // A device's current pool is always its own.
    pools.Enter(call.pool,
                request.pool == nullptr ? place.account : AccountOfFound(call.pool, place));
  }
  call.record = pools.Pin(call.pool);
  return call.record != nullptr;
}

void DropPin(const PoolCall& call) {
  const uint64_t bytes = Accounts::OfProcess().pools.Unpin(*call.record);
  if (call.account != nullptr) call.account->GiveBack(bytes);
}

// Frees what the driver just gave. The pool keeps the memory until the stream gets there; what that
// is over the limit is counted, so that nothing else is granted on top.
CUresult Undo(const PoolRequest& request, const PoolCall& call) {
  REAL(cuMemFreeAsync)(*request.pointer, request.stream);
  REAL(cuMemPoolTrimTo)(call.pool, 0);
  call.record->store.Recount();
  DropPin(call);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

}  // namespace

bool BeginPoolCall(const PoolRequest& request, PoolCall& call) {
  if (request.pointer == nullptr || request.bytes == 0 || Session::Current() == nullptr)
    return true;
  const Place place = PlaceOfStream(request.stream);
  if (!place || IsCapturing(request.stream) || !PinPool(request, place, call)) return true;
  call.account = call.record->store.account();
  call.growth = call.record->store.Begin(request.bytes);
  if (!call.growth.is_allowed) DropPin(call);
  return call.growth.is_allowed;
}

CUresult EndPoolCall(const PoolRequest& request, const PoolCall& call, CUresult result) {
  if (result != CUDA_SUCCESS) {
    call.record->store.Cancel(call.growth);
    DropPin(call);
    return result;
  }
  if (!call.record->store.Settle(call.growth)) {
    (void)call.account->Refuse(request.bytes);
    return Undo(request, call);
  }
  const uint32_t card = call.account == nullptr ? abi::kMaxCards : call.account->card();
  const Live live{.bytes = 0,
                  .card = static_cast<uint8_t>(card),
                  .kind = static_cast<uint8_t>(Charged::kPool),
                  .owner = call.record->AsOwner()};
  if (!Remember(Accounts::OfProcess().pointers, *request.pointer, live)) return Undo(request, call);
  return CUDA_SUCCESS;
}

}  // namespace warpshare::interposer
