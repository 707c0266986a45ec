#include "interposer/accounts/pool_allocation.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/capture_tolerance.h"
#include "interposer/accounts/charged.h"
#include "interposer/accounts/linear.h"
#include "interposer/accounts/place.h"
#include "interposer/accounts/stream_order.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

bool IsDefaultPool(CUmemoryPool pool, CUmemLocation location, CUmemAllocationType type) {
  CUmemoryPool found = nullptr;
  return REAL(cuMemGetDefaultMemPool)(&found, &location, type) == CUDA_SUCCESS && found == pool;
}

bool IsDefaultPoolOfHost(CUmemoryPool pool) {
  constexpr int kMaxNodes = 16;
  bool is_host = IsDefaultPool(pool, {CU_MEM_LOCATION_TYPE_HOST, 0}, CU_MEM_ALLOCATION_TYPE_PINNED);
  for (int node = 0; node < kMaxNodes && !is_host; ++node) {
    is_host =
        IsDefaultPool(pool, {CU_MEM_LOCATION_TYPE_HOST_NUMA, node}, CU_MEM_ALLOCATION_TYPE_PINNED);
  }
  return is_host;
}

// Enters a pool that the program neither made nor imported: a default pool of a device or of the
// host. One that is neither counts for the device of the call.
void EnterFound(CUmemoryPool pool, const Place& place) {
  Pools& pools = Accounts::OfProcess().pools;
  int devices = 0;
  REAL(cuDeviceGetCount)(&devices);
  for (CUdevice device = 0; device < devices; ++device) {
    CUmemoryPool found = nullptr;
    const bool is_plain =
        REAL(cuDeviceGetDefaultMemPool)(&found, device) == CUDA_SUCCESS && found == pool;
    if (is_plain || IsDefaultPool(pool, {CU_MEM_LOCATION_TYPE_DEVICE, device},
                                  CU_MEM_ALLOCATION_TYPE_MANAGED)) {
      pools.Enter(pool, PlaceOfDevice(device).account, is_plain);
      return;
    }
  }
  pools.Enter(pool, IsDefaultPoolOfHost(pool) ? nullptr : place.account, /*is_plain=*/false);
}

// Where the memory of a call goes for which nothing is known but, perhaps, the pool.
Place FindPlaceAndPool(const PoolRequest& request, PoolCall& call) {
  Accounts& accounts = Accounts::OfProcess();
  const uint32_t epoch = accounts.context_devices.epoch();
  const Place place = PlaceOfStream(request.stream);
  call.pool = request.pool;
  if (!place || call.pool != nullptr) return place;
  const uint32_t card = place.account->card();
  call.pool = accounts.current_pools.Find(card, epoch);
  if (call.pool != nullptr) return place;
  REAL(cuDeviceGetMemPool)(&call.pool, place.device);
  accounts.current_pools.Remember(card, call.pool, epoch);
  return place;
}

void Drop(const PoolCall& call) {
  Pools& pools = Accounts::OfProcess().pools;
  pools.GiveBack(pools.Drop(*call.record));
}

// Whether cuMemAlloc would give the same kind of memory, and of the pool's card, which need not be
// the current one.
bool CanGoElsewhere(const PoolCall& call) {
  if (!call.record->is_plain.load(std::memory_order_relaxed)) return false;
  return CurrentCard().account == call.record->store.account();
}

bool TryBegin(PoolCall& call) {
  call.record = Accounts::OfProcess().pools.Find(call.pool);
  if (call.record == nullptr) return false;
  call.record->store.Begin(Pools::KeyOf(call.pool), call.growth);
  return call.growth.grant != ReportedStore::Grant::kGone;
}

void MakeRoom(PoolCall& call) {
  using Otherwise = ReportedStore::Otherwise;
  call.record->store.MakeRoom(CanGoElsewhere(call) ? Otherwise::kElsewhere : Otherwise::kNothing,
                              call.growth);
}

// Frees what the driver just gave, at once, so that the pool lets go of what it grew by.
void Undo(const PoolRequest& request, const PoolCall& call) {
  const CaptureTolerance tolerance;
  REAL(cuMemFree_v2)(*request.pointer);
  REAL(cuMemPoolTrimTo)(call.pool, 0);
  call.record->store.Recount();
}

// Instead of the pool, by cuMemAlloc.
CUresult AllocateElsewhere(const PoolRequest& request, const PoolCall& call) {
  const CaptureTolerance tolerance;
  Drop(call);
  const CUresult result = AllocateLinear(request.pointer, request.bytes, [&] {
    return REAL(cuMemAlloc_v2)(request.pointer, request.bytes);
  });
  // A stream may be named without a context that is current, memory not.
  return result == CUDA_ERROR_INVALID_CONTEXT ? CUDA_ERROR_OUT_OF_MEMORY : result;
}

CUresult EndRefused(const PoolRequest& request, const PoolCall& call, CUresult result) {
  call.record->store.Cancel(call.growth);
  if (call.growth.grant == ReportedStore::Grant::kElsewhere)
    return AllocateElsewhere(request, call);
  Drop(call);
  return result;
}

CUresult Keep(const PoolRequest& request, const PoolCall& call) {
  return RememberPooled(*Session::Current(), request, *call.record)
             ? CUDA_SUCCESS
             : UndoUnremembered(request, call);
}

}  // namespace

CUmemoryPool FindPoolOfStream(CUstream stream) {
  Accounts& accounts = Accounts::OfProcess();
  const uint32_t epoch = accounts.context_devices.epoch();
  const Place place = PlaceOfStream(stream);
  return place ? accounts.current_pools.Find(place.account->card(), epoch) : nullptr;
}

void BeginPoolCall(const PoolRequest& request, PoolCall& call) {
  using Grant = ReportedStore::Grant;
  if (call.growth.grant != Grant::kNeedsRoom) {
    call.record = nullptr;
    call.pool = request.pool;
    if (request.pointer == nullptr || request.bytes == 0 || Session::Current() == nullptr) return;
    if (Metering::MayCapture() && IsCapturing(request.stream)) return;
    const Place place = FindPlaceAndPool(request, call);
    if (!place || call.pool == nullptr) return;
    if (!TryBegin(call)) {
      EnterFound(call.pool, place);
      if (!TryBegin(call)) call.record = nullptr;
    }
  }
  if (call.record != nullptr && call.growth.grant == Grant::kNeedsRoom) MakeRoom(call);
}

CUresult EndPoolCall(const PoolRequest& request, PoolCall& call, CUresult result,
                     DriverCall again) {
  ReportedStore& store = call.record->store;
  if (result != CUDA_SUCCESS) return EndRefused(request, call, result);
  if (store.Settle(call.growth)) return Keep(request, call);
  const bool held_nothing = call.growth.held == 0;
  Undo(request, call);
  if (CanGoElsewhere(call)) return AllocateElsewhere(request, call);
  if (held_nothing) {
    // The block that it counted on was not there, and others have room that they may give back.
    store.BeginAgain(call.growth);
    MakeRoom(call);
    result =
        call.growth.grant == ReportedStore::Grant::kFromStore ? again() : CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS) return EndRefused(request, call, result);
    if (store.Settle(call.growth)) return Keep(request, call);
    Undo(request, call);
  }
  (void)store.account()->Refuse(request.bytes);
  Drop(call);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult UndoUnremembered(PoolRequest request, PoolCall call) {
  Undo(request, call);
  Drop(call);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

}  // namespace warpshare::interposer
