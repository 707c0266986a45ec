// The header of a world file: written once by its creator, checked by everyone before anything else
// in it is believed.
#pragma once

#include <cstddef>
#include <string>

#include "simgpu/world/layout/shared_state.h"
#include "simgpu/world/scenario.h"

namespace simgpu::world {

void WriteHeader(Header& header, size_t file_bytes, uint64_t world_id, const Scenario& scenario);

// False and `reason` for a file of another layout, damaged, cut, or from before the last boot.
bool ReadHeader(const Header& header, size_t file_bytes, Scenario* scenario, std::string* reason);

// Where a scenario names no uuids: stable for a directory of a machine, different elsewhere.
std::string DefaultSeed(const std::string& directory);

}  // namespace simgpu::world
