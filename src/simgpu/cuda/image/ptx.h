// PTX, the text form of device code.
#pragma once

#include <string_view>

#include "simgpu/cuda/image/contents.h"

namespace simgpu::cuda {

// Its kernels and the variables that all of it shares. A variable is left out if its size is not
// given by plain numbers, and what of its value is not is zero. Text that is no PTX has nothing,
// nor what is behind a zero byte.
ImageContents ReadPtx(std::string_view text);

}  // namespace simgpu::cuda
