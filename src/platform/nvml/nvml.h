// The cards of this machine, in the order of their PCI addresses, which is the order of nvidia-smi.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/result.h"
#include "types/bytes.h"
#include "types/gpu_uuid.h"

namespace warpshare::platform {

struct Card {
  uint32_t index;
  GpuUuid uuid;
  std::string name;  // "NVIDIA A100-SXM4-40GB"; printable
  Bytes total;
  Bytes used;                              // by everybody, the driver included
  std::optional<uint32_t> minor = {};      // of its node, /dev/nvidia<minor>
  std::optional<uint32_t> numa_node = {};  // of the host, that is near it
  uint16_t link_group = 0;  // of those that NVLink joins; 0: none, or nobody asked (card_links.h)
};

// One that the driver counts and cannot tell of, as when it has fallen off the bus.
struct UnreadableCard {
  uint32_t index;
  std::optional<GpuUuid> uuid;  // where it says that much
  Error reason;                 // "cannot read card 1: the driver says 'GPU is lost'"
};

struct CardList {
  std::vector<Card> cards;
  std::vector<UnreadableCard> unreadable = {};
};

// How long no card may have answered until the rest of them are taken for hanging. A cold card
// takes seconds, and the driver may take them one by one.
inline constexpr std::chrono::milliseconds kCardPatience{10'000};

// Opens libnvidia-ml.so.1 in that folder, asks, and lets it go. Fails where no card can be asked
// for; what one of them answers, or that it hangs, harms none of the others.
Result<CardList> ListCards(const std::string& driver_folder,
                           std::chrono::milliseconds patience = kCardPatience);

}  // namespace warpshare::platform
