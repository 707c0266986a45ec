// entry_points.def as compile-time tables: what each driver function is, in which order, under
// which names. Index, table row and def row are the same thing; nothing here is looked up at run
// time by anything but its position, so a table costs no start-up work.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpshare::abi {

// What a call does to a card. A function that fits several takes the first that fits, in this
// order: a graph launch submits work too, but it may allocate, so it is kAllocates.
enum class Effect : uint8_t {
  kAllocates,  // can raise what the process holds: memory, mappings that pin it, contexts, code
  kFrees,      // can lower it
  kSubmits,    // queues work on a card: kernels, copies, fills, stream operations, events
  kQueries,    // reads state and changes none
  kNeither,    // changes state that costs no card memory and no card time
};

// Which default stream a symbol means by stream 0.
enum class StreamMode : uint8_t {
  kAny,        // one symbol serves both
  kLegacy,     // the legacy default stream; a _ptds or _ptsz twin exists
  kPerThread,  // the per-thread default stream
};

// What the interposer does with a call.
enum class Handling : uint8_t {
  kHook,  // a C++ function of ours
  kPass,  // a jump to the driver's function
};

struct CudaEntry {
  const char* symbol;     // as exported
  const char* proc_name;  // as asked of cuGetProcAddress
  int since;              // CUDA version at which proc_name began to mean symbol, e.g. 3020;
                          // 0: unknown, the symbol is in no header
  StreamMode stream_mode;
  Effect effect;
  Handling handling;
};

struct NvmlEntry {
  const char* symbol;
  Effect effect;
  Handling handling;
};

// Position of a symbol in kCudaEntries: CudaIndex::cuMemAlloc_v2.
enum class CudaIndex : uint16_t {
#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) symbol,
#include "abi/driver/entry_points.def"
  kCount
};

// Position of a symbol in kNvmlEntries.
enum class NvmlIndex : uint16_t {
#define NVML_ENTRY(symbol, effect, handling) symbol,
#include "abi/driver/entry_points.def"
  kCount
};

// A further name, or version, that cuGetProcAddress knows a symbol by.
struct CudaAlias {
  const char* proc_name;
  int since;
  CudaIndex target;
};

#define WARPSHARE_HANDLING_HOOK Handling::kHook
#define WARPSHARE_HANDLING_PASS Handling::kPass

// clang-format off
inline constexpr CudaEntry kCudaEntries[] = {
#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) \
  {#symbol, #proc_name, since, StreamMode::stream_mode, Effect::effect,     \
   WARPSHARE_HANDLING_##handling},
#include "abi/driver/entry_points.def"
};
// clang-format on

inline constexpr CudaAlias kCudaAliases[] = {
#define CUDA_ALIAS(proc_name, since, symbol) {#proc_name, since, CudaIndex::symbol},
#include "abi/driver/entry_points.def"
};

inline constexpr NvmlEntry kNvmlEntries[] = {
#define NVML_ENTRY(symbol, effect, handling) \
  {#symbol, Effect::effect, WARPSHARE_HANDLING_##handling},
#include "abi/driver/entry_points.def"
};

#undef WARPSHARE_HANDLING_HOOK
#undef WARPSHARE_HANDLING_PASS

inline constexpr size_t kCudaEntryCount = static_cast<size_t>(CudaIndex::kCount);
inline constexpr size_t kNvmlEntryCount = static_cast<size_t>(NvmlIndex::kCount);

constexpr const CudaEntry& EntryOf(CudaIndex index) {
  return kCudaEntries[static_cast<size_t>(index)];
}
constexpr const NvmlEntry& EntryOf(NvmlIndex index) {
  return kNvmlEntries[static_cast<size_t>(index)];
}

}  // namespace warpshare::abi
