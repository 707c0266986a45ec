// Arrays and mipmapped arrays: opaque layouts, sized by the driver where it tells.
#include "abi/driver/cuda_types.h"
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/array_size.h"
#include "interposer/accounts/charged.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using namespace warpshare::interposer;

namespace {

uint64_t KeyOf(const void* handle) { return reinterpret_cast<uint64_t>(handle); }

// Narrower descriptors of older functions; null stays the driver's to judge.
bool Describe(const CUDA_ARRAY3D_DESCRIPTOR* from, CUDA_ARRAY3D_DESCRIPTOR& to) {
  if (from == nullptr) return false;
  to = {.Width = LoadAlone(from->Width),
        .Height = LoadAlone(from->Height),
        .Depth = LoadAlone(from->Depth),
        .Format = LoadAlone(from->Format),
        .NumChannels = LoadAlone(from->NumChannels),
        .Flags = LoadAlone(from->Flags)};
  return true;
}
bool Describe(const CUDA_ARRAY3D_DESCRIPTOR_v1* from, CUDA_ARRAY3D_DESCRIPTOR& to) {
  if (from == nullptr) return false;
  to = {LoadAlone(from->Width),  LoadAlone(from->Height),      LoadAlone(from->Depth),
        LoadAlone(from->Format), LoadAlone(from->NumChannels), LoadAlone(from->Flags)};
  return true;
}
template <typename Flat>
bool Describe(const Flat* from, CUDA_ARRAY3D_DESCRIPTOR& to) {
  if (from == nullptr) return false;
  to = {LoadAlone(from->Width),
        LoadAlone(from->Height),
        /*Depth=*/0,
        LoadAlone(from->Format),
        LoadAlone(from->NumChannels),
        /*Flags=*/0};
  return true;
}

// Of a place whose device need not be known; arrays are of one device there.
constexpr CUdevice kSoleDevice = CU_DEVICE_INVALID;

// An array dies with its context and the driver cannot be asked whether it did, so the context is
// always asked for; which device that is of only where it may be one of several.
[[gnu::always_inline]] inline Place PlaceOfArray() {
  Session* session = Session::Current();
  CardAccount* sole = session == nullptr ? nullptr : session->SoleAccount();
  if (sole == nullptr) [[unlikely]]
    return session == nullptr ? Place{} : CurrentPlace();
  CUcontext context = nullptr;
  const bool has_context = REAL(cuCtxGetCurrent)(&context) == CUDA_SUCCESS && context != nullptr;
  return {.account = has_context ? sole : nullptr, .context = context, .device = kSoleDevice};
}

uint64_t Measure(const ArrayShape& shape, const Place& place) {
  CUdevice device = place.device;
  if (device == kSoleDevice)
    (void)Accounts::OfProcess().context_devices.Find(place.context, /*is_current=*/true, device);
  const uint64_t bytes = AskArrayBytes(shape, device);
  if (bytes == 0) return ElementBytes(shape);
  Accounts::OfProcess().array_sizes.Remember(shape, place.device, bytes);
  return bytes;
}

void Destroy(CUarray array) { REAL(cuArrayDestroy)(array); }
void Destroy(CUmipmappedArray array) { REAL(cuMipmappedArrayDestroy)(array); }

template <typename Handle, typename Descriptor, typename Call>
CUresult AllocateArray(Handle* array, const Descriptor* descriptor, unsigned int levels,
                       Call call) {
  ArrayShape shape{.descriptor = {}, .levels = levels};
  const bool is_complete = array != nullptr && Describe(descriptor, shape.descriptor);
  const Place place = is_complete && HasOwnMemory(shape) ? PlaceOfArray() : Place{};
  if (!place) return call();
  uint64_t bytes = Accounts::OfProcess().array_sizes.Find(shape, place.device);
  if (bytes == 0) [[unlikely]] {
    if (!MayReserve(place, LeastBytes(shape))) return CUDA_ERROR_OUT_OF_MEMORY;
    bytes = Measure(shape, place);
  }
  return AllocateCharged(
      {.table = Accounts::OfProcess().arrays, .place = place, .bytes = bytes}, call,
      [=] { return KeyOf(*array); }, [=](uint64_t) { Destroy(*array); });
}

template <typename Handle>
CUresult FreeArray(Handle array, CUresult (*call)(Handle)) {
  return FreeCharged([](Session&) -> LiveTable& { return Accounts::OfProcess().arrays; },
                     KeyOf(array), [=] { return call(array); },
                     [](CUresult refusal) { return refusal == CUDA_ERROR_INVALID_HANDLE; });
}

}  // namespace

WARPSHARE_HOOK CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR_v1* descriptor) {
  return AllocateArray(array, descriptor, 0,
                       [=] { return REAL(cuArrayCreate)(array, descriptor); });
}
WARPSHARE_HOOK CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  return AllocateArray(array, descriptor, 0,
                       [=] { return REAL(cuArrayCreate_v2)(array, descriptor); });
}
WARPSHARE_HOOK CUresult cuArray3DCreate(CUarray* array,
                                        const CUDA_ARRAY3D_DESCRIPTOR_v1* descriptor) {
  return AllocateArray(array, descriptor, 0,
                       [=] { return REAL(cuArray3DCreate)(array, descriptor); });
}
WARPSHARE_HOOK CUresult cuArray3DCreate_v2(CUarray* array,
                                           const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  return AllocateArray(array, descriptor, 0,
                       [=] { return REAL(cuArray3DCreate_v2)(array, descriptor); });
}
WARPSHARE_HOOK CUresult cuMipmappedArrayCreate(CUmipmappedArray* array,
                                               const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                               unsigned int levels) {
  return AllocateArray(array, descriptor, levels == 0 ? 1 : levels,
                       [=] { return REAL(cuMipmappedArrayCreate)(array, descriptor, levels); });
}

WARPSHARE_HOOK CUresult cuArrayDestroy(CUarray array) {
  return FreeArray(array, REAL(cuArrayDestroy));
}
WARPSHARE_HOOK CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return FreeArray(array, REAL(cuMipmappedArrayDestroy));
}
