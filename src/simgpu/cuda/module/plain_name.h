// Names of kernels as people write them.
#pragma once

#include <string>

namespace simgpu::cuda {

// The plain name in a mangled one: "spin" of "_ZN3lib4spinEPf"; other names as they are.
std::string PlainName(const std::string& name);

}  // namespace simgpu::cuda
