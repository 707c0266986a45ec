// Which cards a run means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/nvml/nvml.h"
#include "result/result.h"

namespace warpshare::node {

// `wanted` has what --gpu named: indices as nvidia-smi counts, or beginnings of uuids. With none,
// the cards that CUDA would show a program under this CUDA_VISIBLE_DEVICES (none: not set), in its
// order: its list ends at the first word that names no card. A card that cannot be read is named by
// none of these, and an error where --gpu wants it.
Result<std::vector<platform::Card>> ChooseCards(
    const platform::CardList& machine, const std::vector<std::string>& wanted,
    const std::optional<std::string>& cuda_visible_devices);

// Whether CUDA would count the cards of these variables (none: not set) in another order than
// nvidia-smi, as it may by itself (FASTEST_FIRST) where cards of several models are there.
bool CountsOtherwise(const platform::CardList& machine,
                     const std::optional<std::string>& cuda_visible_devices,
                     const std::optional<std::string>& cuda_device_order);

}  // namespace warpshare::node
