// Settings of core dumps. A simulated card never faults, so none is ever written; what a program
// sets is kept and told back. Contexts have no settings of their own: they share the process's.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>

#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/result.h"

namespace {

using simgpu::cuda::Ready;

constexpr size_t kLongestPath = 1023;

struct Settings {
  std::mutex mutex;
  bool on_exception = false;
  bool trigger_host = true;
  bool lightweight = false;
  bool user_trigger = false;
  unsigned flags = CU_COREDUMP_DEFAULT_FLAGS;
  std::string file;
  std::string pipe;
};

Settings& All() {
  static auto* const settings = new Settings;
  return *settings;
}

bool* SwitchOf(CUcoredumpSettings attribute) {
  switch (attribute) {
    case CU_COREDUMP_ENABLE_ON_EXCEPTION:
      return &All().on_exception;
    case CU_COREDUMP_TRIGGER_HOST:
      return &All().trigger_host;
    case CU_COREDUMP_LIGHTWEIGHT:
      return &All().lightweight;
    case CU_COREDUMP_ENABLE_USER_TRIGGER:
      return &All().user_trigger;
    default:
      return nullptr;
  }
}

std::string* PathOf(CUcoredumpSettings attribute) {
  if (attribute == CU_COREDUMP_FILE) return &All().file;
  return attribute == CU_COREDUMP_PIPE ? &All().pipe : nullptr;
}

// A null `value` asks for the size alone.
CUresult Give(const void* setting, size_t bytes, void* value, size_t* size) {
  if (value != nullptr) {
    SIMGPU_REQUIRE(*size >= bytes, CUDA_ERROR_INVALID_VALUE);
    std::memcpy(value, setting, bytes);
  }
  *size = bytes;
  return CUDA_SUCCESS;
}

CUresult Get(CUcoredumpSettings attribute, void* value, size_t* size) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(size != nullptr, CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(All().mutex);
  if (const bool* const on = SwitchOf(attribute)) return Give(on, sizeof(*on), value, size);
  if (const std::string* const path = PathOf(attribute)) {
    return Give(path->c_str(), path->size() + 1, value, size);
  }
  SIMGPU_REQUIRE(attribute == CU_COREDUMP_GENERATION_FLAGS, CUDA_ERROR_INVALID_VALUE);
  return Give(&All().flags, sizeof(All().flags), value, size);
}

CUresult Set(CUcoredumpSettings attribute, const void* value, const size_t* size) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(value != nullptr && size != nullptr, CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(All().mutex);
  if (bool* const on = SwitchOf(attribute)) {
    SIMGPU_REQUIRE(*size >= sizeof(bool), CUDA_ERROR_INVALID_VALUE);
    *on = *static_cast<const unsigned char*>(value) != 0;
    return CUDA_SUCCESS;
  }
  if (std::string* const path = PathOf(attribute)) {
    SIMGPU_REQUIRE(*size <= kLongestPath + 1, CUDA_ERROR_INVALID_VALUE);
    const auto* const text = static_cast<const char*>(value);
    path->assign(text, strnlen(text, *size));
    return CUDA_SUCCESS;
  }
  SIMGPU_REQUIRE(attribute == CU_COREDUMP_GENERATION_FLAGS && *size >= sizeof(All().flags),
                 CUDA_ERROR_INVALID_VALUE);
  std::memcpy(&All().flags, value, sizeof(All().flags));
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuCoredumpGetAttribute(CUcoredumpSettings attrib, void* value, size_t* size) {
  return Get(attrib, value, size);
}

CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void* value, size_t* size) {
  return Get(attrib, value, size);
}

CUresult cuCoredumpSetAttribute(CUcoredumpSettings attrib, void* value, size_t* size) {
  return Set(attrib, value, size);
}

CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void* value, size_t* size) {
  return Set(attrib, value, size);
}
