// The driver's CUDA functions by row.
#include "abi/names/env.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_library.h"
#include "interposer/dispatch/loader.h"
#include "interposer/dispatch/symbol_names.h"

extern "C" {
void* warpshare_cuda_slots[warpshare::abi::kCudaEntryCount] = {};

// What the trampolines call with the row in front of them; see cuda_trampolines.S.
__attribute__((visibility("hidden"))) void* warpshare_resolve(uint32_t row) {
  return warpshare::interposer::ResolveCuda(static_cast<warpshare::abi::CudaIndex>(row));
}
}

namespace warpshare::interposer {

namespace {

constexpr char kNames[] =
#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) #symbol "\0"
#include "abi/driver/entry_points.def"
    ;
constexpr auto kOffsets = NameOffsets<abi::kCudaEntryCount>(kNames);

// Called with any arguments, which the calling convention lets them ignore.
CUresult AnswerNotSupported() { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult AnswerNoDevice() { return CUDA_ERROR_NO_DEVICE; }

void* InDriver(abi::CudaIndex index) {
  void* library = FindDriver(abi::kCudaSoname).handle;
  return library == nullptr ? nullptr
                            : FindSymbol(library, kNames + kOffsets[static_cast<size_t>(index)]);
}

}  // namespace

bool HasDriver() { return FindDriver(abi::kCudaSoname).handle != nullptr; }

bool DriverHas(abi::CudaIndex index) { return InDriver(index) != nullptr; }

void* ResolveCuda(abi::CudaIndex index) {
  void* address = InDriver(index);
  if (address == nullptr) {
    address = reinterpret_cast<void*>(HasDriver() ? &AnswerNotSupported : &AnswerNoDevice);
  }
  __atomic_store_n(&warpshare_cuda_slots[static_cast<size_t>(index)], address, __ATOMIC_RELEASE);
  return address;
}

}  // namespace warpshare::interposer
