// Which blocks of a card's file are taken: one bit each, in shared words. Read under the card's
// memory lock.
#pragma once

#include <cstdint>
#include <optional>

#include "simgpu/world/sync/journal.h"

namespace simgpu::world {

// First of `count` free blocks in a row in [from, end). Null: there are none.
std::optional<uint64_t> FindFreeRun(const Word* bits, uint64_t from, uint64_t end, uint64_t count);

// First taken block in [from, end); `end` when there is none.
uint64_t NextTaken(const Word* bits, uint64_t from, uint64_t end);

}  // namespace simgpu::world
