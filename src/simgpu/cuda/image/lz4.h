// Unpacks a block of LZ4, as fat binaries have them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace simgpu::cuda {

// Empty: it is no such block, or not one of so many bytes.
std::string UnpackLz4(std::string_view block, size_t unpacked_bytes);

}  // namespace simgpu::cuda
