#include "simgpu/cuda/device/attributes.h"

#include <cstddef>

#include "simgpu/cuda/device/fixed_attributes.h"

namespace simgpu::cuda {
namespace {

using world::CardSpec;

// PCI device and vendor id of an A100 SXM4, as nvidia-smi prints it.
constexpr int kPciDeviceId = 0x20b010de;

std::optional<int> Fixed(CUdevice_attribute attribute) {
  const auto number = static_cast<size_t>(attribute);
  return number < kFixedByNumber.size() ? kFixedByNumber[number] : std::nullopt;
}

}  // namespace

std::optional<int> DeviceAttribute(const CardSpec& spec, CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
      return static_cast<int>(spec.sm_clock_mhz * 1000);
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return static_cast<int>(spec.sm_count);
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      return static_cast<int>(spec.pci.bus);
    case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID:
      return static_cast<int>(spec.pci.device);
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
      return static_cast<int>(spec.memory_clock_mhz * 1000);
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      return static_cast<int>(spec.memory_bus_bits);
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      return static_cast<int>(spec.l2_bytes);
    case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID:
      return static_cast<int>(spec.pci.domain);
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return spec.compute_major;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return spec.compute_minor;
    case CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE:
      return static_cast<int>(spec.l2_bytes / 4 * 3);
    case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH:
      return spec.compute_major >= 9;
    case CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT:
      return spec.compute_major >= 9 ? 4 : 1;
    case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
      return spec.compute_major >= 9;
    case CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID:
      return spec.numa_node;
    case CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID:
      return kPciDeviceId;
    default:
      return Fixed(attribute);
  }
}

}  // namespace simgpu::cuda
