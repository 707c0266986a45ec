// CPUs of the host by NUMA node, as the kernel tells them in /sys.
#pragma once

#include <string_view>
#include <vector>

namespace simgpu::nvml {

// "0-3,8" as the kernel writes lists of CPUs. What is no such list is left out.
std::vector<unsigned> ParseCpuList(std::string_view text);

std::vector<unsigned> CpusOnline();

// CPUs of the node; all that are online where the host has no such node.
std::vector<unsigned> CpusNear(int numa_node);

}  // namespace simgpu::nvml
