#include <iterator>

#include "simgpu/nvml/system/api.h"

namespace {

// The texts that programs print and people search for, by code.
constexpr const char* kTexts[] = {"Success",
                                  "Uninitialized",
                                  "Invalid Argument",
                                  "Not Supported",
                                  "Insufficient Permissions",
                                  "Already Initialized",
                                  "Not Found",
                                  "Insufficient Size",
                                  "Insufficient External Power",
                                  "Driver Not Loaded",
                                  "Timeout",
                                  "Interrupt Request Issue",
                                  "NVML Shared Library Not Found",
                                  "Function Not Found",
                                  "Corrupted infoROM",
                                  "GPU is lost",
                                  "GPU requires reset",
                                  "Blocked by the operating system",
                                  "Driver/library version mismatch",
                                  "In use by another client",
                                  "Insufficient Memory",
                                  "No data",
                                  "vGPU ECC not supported",
                                  "Insufficient Resources",
                                  "Frequency not supported",
                                  "Argument version mismatch",
                                  "Deprecated",
                                  "Not Ready",
                                  "GPU not found",
                                  "Invalid State",
                                  "Reset type not supported"};
static_assert(std::size(kTexts) == NVML_ERROR_RESET_TYPE_NOT_SUPPORTED + 1);

}  // namespace

// May be called at any time.
const char* nvmlErrorString(nvmlReturn_t result) {
  const auto code = static_cast<unsigned>(result);
  return code < std::size(kTexts) ? kTexts[code] : "Unknown Error";
}
