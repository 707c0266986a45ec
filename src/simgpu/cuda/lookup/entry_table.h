// Finds the exported function that cuGetProcAddress shall answer: by name, version and flavour of
// the default stream, from the rows of entry_points.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace simgpu::cuda {

enum class LookupStatus : uint8_t {
  kFound,
  kUnknown,      // no function of that name
  kTooOldAsker,  // the name exists, but only from a later version than asked for
};

struct LookupAnswer {
  LookupStatus status = LookupStatus::kUnknown;
  void* address = nullptr;
};

// `version`: as in CUDA_VERSION. `per_thread`: prefer the _ptds or _ptsz flavour where there is
// one.
LookupAnswer LookUp(std::string_view name, int version, bool per_thread);

}  // namespace simgpu::cuda
