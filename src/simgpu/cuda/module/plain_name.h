// Names of the kernels in a device image, where they can be read: PTX text and cubins (ELF). Other
// images (fat binaries, whatever a test makes up) load as well and name none.
#pragma once

#include <string>
#include <vector>

namespace simgpu::cuda {

// `image` is what cuModuleLoadData takes: its length is only known from its content.
std::vector<std::string> KernelNames(const void* image);

// The plain name in a mangled one: "spin" of "_ZN3lib4spinEPf"; other names as they are.
std::string PlainName(const std::string& name);

}  // namespace simgpu::cuda
