// Fat binaries: one container of the same code as PTX and as cubins for some kinds of cards. What
// is packed by Zstandard in them stays unread.
#pragma once

#include <cstddef>
#include <string_view>

#include "simgpu/cuda/image/contents.h"

namespace simgpu::cuda {

constexpr size_t kFatBinaryHeaderBytes = 16;

// Both read no further than to the first byte that such a thing would not have.
bool IsFatBinary(const void* image);
// The fat binary in a wrapper, with which compilers embed it in a program; other images themselves.
const void* UnwrapFatBinary(const void* image);

size_t FatBinaryLength(const void* fat_binary);  // as its header says

// Of all its entries. Of a variable that several have, as the first one has it.
ImageContents ReadFatBinary(std::string_view fat_binary);

}  // namespace simgpu::cuda
