// The driver's NVML functions by row.
#include "abi/driver/nvml_result.h"
#include "abi/names/env.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_library.h"
#include "interposer/dispatch/loader.h"
#include "interposer/dispatch/symbol_names.h"

extern "C" {
void* warpshare_nvml_slots[warpshare::abi::kNvmlEntryCount] = {};

// What the trampolines call with the row in front of them; see nvml_trampolines.S.
__attribute__((visibility("hidden"))) void* warpshare_resolve(uint32_t row) {
  return warpshare::interposer::ResolveNvml(static_cast<warpshare::abi::NvmlIndex>(row));
}
}

namespace warpshare::interposer {

namespace {

constexpr char kNames[] =
#define NVML_ENTRY(symbol, effect, handling) #symbol "\0"
#include "abi/driver/entry_points.def"
    ;
constexpr auto kOffsets = NameOffsets<abi::kNvmlEntryCount>(kNames);

// Called with any arguments, which the calling convention lets them ignore.
nvmlReturn_t AnswerFunctionNotFound() { return NVML_ERROR_FUNCTION_NOT_FOUND; }
nvmlReturn_t AnswerLibraryNotFound() { return NVML_ERROR_LIBRARY_NOT_FOUND; }
// The one function that returns text.
const char* AnswerNoText() { return "NVIDIA driver library not found"; }

void* InDriver(abi::NvmlIndex index) {
  void* library = FindDriver(abi::kNvmlSoname).handle;
  return library == nullptr ? nullptr
                            : FindSymbol(library, kNames + kOffsets[static_cast<size_t>(index)]);
}

void* StandInFor(abi::NvmlIndex index) {
  if (index == abi::NvmlIndex::nvmlErrorString) return reinterpret_cast<void*>(&AnswerNoText);
  return reinterpret_cast<void*>(HasDriver() ? &AnswerFunctionNotFound : &AnswerLibraryNotFound);
}

}  // namespace

bool HasDriver() { return FindDriver(abi::kNvmlSoname).handle != nullptr; }

bool DriverHas(abi::NvmlIndex index) { return InDriver(index) != nullptr; }

void* ResolveNvml(abi::NvmlIndex index) {
  void* address = InDriver(index);
  if (address == nullptr) address = StandInFor(index);
  __atomic_store_n(&warpshare_nvml_slots[static_cast<size_t>(index)], address, __ATOMIC_RELEASE);
  return address;
}

}  // namespace warpshare::interposer
