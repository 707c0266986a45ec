// Reads device images: PTX text, cubins (ELF), and fat binaries of both. Other images (whatever a
// test makes up) load as well and have nothing in them.
#pragma once

#include <string_view>

#include "simgpu/cuda/image/contents.h"

namespace simgpu::cuda {

// `image` is what cuModuleLoadData takes: how long it is, only its content says. Null stays null.
std::string_view WholeImage(const void* image);

ImageContents ContentsOf(std::string_view image);

}  // namespace simgpu::cuda
