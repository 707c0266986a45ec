#include "interposer/dispatch/hook_table.h"

#include <array>

#include "abi/driver/entry_points.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/guest/text.h"

// Of trampoline_x86_64.inc: from here to each hooked row's function, in the order of the rows.
extern "C" __attribute__((visibility("hidden"))) const int32_t warpshare_hooks[];

namespace warpshare::interposer {

namespace {

using abi::Handling;
using abi::StreamMode;

// A name that a hooked row goes by. Text in place, so that the table needs no relocation.
struct HookedName {
  char name[56];
  abi::CudaIndex row;
  StreamMode stream_mode;
  int since;
  uint16_t hook;  // position in warpshare_hooks
};

constexpr bool IsHooked(abi::CudaIndex row) {
  return abi::EntryOf(row).handling == Handling::kHook;
}

constexpr size_t CountHookedNames() {
  size_t count = 0;
  for (const abi::CudaEntry& entry : abi::kCudaEntries) count += entry.handling == Handling::kHook;
  for (const abi::CudaAlias& alias : abi::kCudaAliases) count += IsHooked(alias.target);
  return count;
}

constexpr HookedName MakeHookedName(const char* name, int since, abi::CudaIndex row) {
  HookedName made{.name = {},
                  .row = row,
                  .stream_mode = abi::EntryOf(row).stream_mode,
                  .since = since,
                  .hook = 0};
  for (size_t i = 0; name[i] != '\0'; ++i)
    made.name[i] = name[i];  // too long a name does not compile
  for (size_t i = 0; i < static_cast<size_t>(row); ++i) {
    made.hook += abi::kCudaEntries[i].handling == Handling::kHook;
  }
  return made;
}

constexpr auto MakeHookedNames() {
  std::array<HookedName, CountHookedNames()> names{};
  size_t count = 0;
  for (size_t i = 0; i < abi::kCudaEntryCount; ++i) {
    const auto row = static_cast<abi::CudaIndex>(i);
    if (!IsHooked(row)) continue;
    names[count++] = MakeHookedName(abi::EntryOf(row).proc_name, abi::EntryOf(row).since, row);
  }
  for (const abi::CudaAlias& alias : abi::kCudaAliases) {
    if (IsHooked(alias.target))
      names[count++] = MakeHookedName(alias.proc_name, alias.since, alias.target);
  }
  return names;
}

constexpr auto kHookedNames = MakeHookedNames();

void* AddressOf(const HookedName& hooked) {
  const int32_t distance = warpshare_hooks[hooked.hook];
  return const_cast<char*>(reinterpret_cast<const char*>(warpshare_hooks) + distance);
}

cuuint64_t FlagsOf(StreamMode mode) {
  if (mode == StreamMode::kAny) return CU_GET_PROC_ADDRESS_DEFAULT;
  return mode == StreamMode::kPerThread ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
                                        : CU_GET_PROC_ADDRESS_LEGACY_STREAM;
}

// The address that the row has as an exported symbol.
bool HasExportedAddress(const HookedName& hooked, void* address) {
  return reinterpret_cast<void*>(RealCuda<void>(hooked.row)) == address;
}

// The address that the driver gives when the row's variant is asked for: it need not be the
// exported one.
bool HasLookupAddress(const HookedName& hooked, void* address) {
  void* given = nullptr;
  const CUresult result =
      REAL(cuGetProcAddress)(hooked.name, &given, hooked.since, FlagsOf(hooked.stream_mode));
  return result == CUDA_SUCCESS && given == address;
}

bool WasAskedFor(const HookedName& hooked, const ProcAddress& answer) {
  const bool per_thread = (answer.flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  return hooked.since <= answer.version &&
         (hooked.stream_mode == StreamMode::kAny ||
          (hooked.stream_mode == StreamMode::kPerThread) == per_thread);
}

// The last fitting row: rows of a name stand in the order of `since`.
const HookedName* FindVariant(const ProcAddress& answer,
                              bool (*has_address)(const HookedName&, void*)) {
  const HookedName* found = nullptr;
  for (const HookedName& hooked : kHookedNames) {
    if (!guest::SameText(hooked.name, answer.name) || !has_address(hooked, answer.from_driver))
      continue;
    if (found == nullptr || WasAskedFor(hooked, answer)) found = &hooked;
  }
  return found;
}

}  // namespace

void* Substitute(const ProcAddress& answer) {
  const HookedName* variant = FindVariant(answer, HasExportedAddress);
  if (variant == nullptr) variant = FindVariant(answer, HasLookupAddress);
  return variant == nullptr ? answer.from_driver : AddressOf(*variant);
}

}  // namespace warpshare::interposer
