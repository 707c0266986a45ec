// Names of what a container asks for in `resources.limits`, each spelled once.
#pragma once

namespace warpshare::abi {

// Cards of a container; the only one the kubelet counts, in slots of cards.
inline constexpr char kResourceGpu[] = "warpshare.io/gpu";
// Of each of these cards. Memory in MiB, or in percent of the card.
inline constexpr char kResourceGpuMemory[] = "warpshare.io/gpu-memory";
inline constexpr char kResourceGpuMemoryPercent[] = "warpshare.io/gpu-memory-percent";
inline constexpr char kResourceGpuCores[] = "warpshare.io/gpu-cores";

// NVIDIA's own: whole cards.
inline constexpr char kResourceNvidiaGpu[] = "nvidia.com/gpu";

// A device of kResourceGpu is one slot of a card: "<card uuid>::<two digits>".
inline constexpr char kDeviceSlotSeparator[] = "::";

}  // namespace warpshare::abi
