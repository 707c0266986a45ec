// Checks the whole of a world's shared state: accounts against extents, extents against the block
// map. For tests.
#pragma once

#include <string>

namespace simgpu::world {

// Empty when all is consistent; otherwise what is not. Others may be at work meanwhile.
std::string FindInconsistency(const std::string& directory);

}  // namespace simgpu::world
