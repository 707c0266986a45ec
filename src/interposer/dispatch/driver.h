// The driver behind this library: how a hook calls the function it stands in front of.
//
//   WARPSHARE_HOOK CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
//     ...
//     return REAL(cuMemAlloc_v2)(pointer, bytes);
//   }
//
// REAL(f) is the driver's f, always callable, for any f with a row in entry_points.def whose
// declaration is visible: the hook itself, or dispatch/driver_functions.h. Where the driver lacks f
// the call returns CUDA_ERROR_NOT_SUPPORTED (NVML_ERROR_FUNCTION_NOT_FOUND); where there is no
// driver at all, CUDA_ERROR_NO_DEVICE (NVML_ERROR_LIBRARY_NOT_FOUND). After the first call it costs
// one load, a branch and the call. Thread-safe; nothing is opened before it is needed.
#pragma once

#include <cstddef>

#include "abi/driver/cuda_result.h"
#include "abi/driver/entry_points.h"

#define WARPSHARE_HOOK extern "C" __attribute__((visibility("default")))

#define REAL(symbol) \
  (::warpshare::interposer::RealCuda<decltype(::symbol)>(::warpshare::abi::CudaIndex::symbol))
#define REAL_NVML(symbol) \
  (::warpshare::interposer::RealNvml<decltype(::symbol)>(::warpshare::abi::NvmlIndex::symbol))

// The driver's addresses by row; zero until first used. The trampolines read them too. Of each
// library one is there.
extern "C" __attribute__((visibility("hidden"))) void* warpshare_cuda_slots[];
extern "C" __attribute__((visibility("hidden"))) void* warpshare_nvml_slots[];

namespace warpshare::interposer {

// Looks a row up in the driver, remembers it and returns it; never null.
[[gnu::cold]] void* ResolveCuda(abi::CudaIndex index);
[[gnu::cold]] void* ResolveNvml(abi::NvmlIndex index);

// Whether a driver was found, and whether it has the function itself.
bool HasDriver();
bool DriverHas(abi::CudaIndex index);
bool DriverHas(abi::NvmlIndex index);

template <typename Function>
Function* RealCuda(abi::CudaIndex index) {
  void* address =
      __atomic_load_n(&warpshare_cuda_slots[static_cast<size_t>(index)], __ATOMIC_RELAXED);
  if (address == nullptr) [[unlikely]]
    address = ResolveCuda(index);
  return reinterpret_cast<Function*>(address);
}

template <typename Function>
Function* RealNvml(abi::NvmlIndex index) {
  void* address =
      __atomic_load_n(&warpshare_nvml_slots[static_cast<size_t>(index)], __ATOMIC_RELAXED);
  if (address == nullptr) [[unlikely]]
    address = ResolveNvml(index);
  return reinterpret_cast<Function*>(address);
}

}  // namespace warpshare::interposer
