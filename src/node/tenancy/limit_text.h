// How a memory limit is checked and spoken of, by run and set alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "result/result.h"
#include "types/bytes.h"
#include "types/memory_amount.h"

namespace warpshare::node {

// "4GiB", or "no limit".
std::string LimitText(std::optional<Bytes> limit);

// A limit that no card could reach is a slip of the user's. `capacity` 0: not known, all fits.
Result<void> CheckFits(MemoryAmount memory, uint32_t card_index, Bytes capacity);

}  // namespace warpshare::node
