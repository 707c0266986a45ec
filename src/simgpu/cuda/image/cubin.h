// Cubins, the ELF files that device code is compiled to.
#pragma once

#include <elf.h>

#include <string_view>

#include "simgpu/cuda/image/contents.h"

namespace simgpu::cuda {

constexpr size_t kCubinHeaderBytes = sizeof(Elf64_Ehdr);

// Reads no further than to the first byte that a cubin would not have.
bool IsCubin(const void* image);

// From its header and its table of sections.
size_t CubinLength(const void* cubin);

ImageContents ReadCubin(std::string_view cubin);

}  // namespace simgpu::cuda
