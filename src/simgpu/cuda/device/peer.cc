// What two devices can do with each other's memory. All cards of a world can reach each other, as
// cards on one PCIe root or NVLink do.
#include "simgpu/cuda/device/api.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/result.h"
#include "simgpu/world/world.h"

using simgpu::cuda::CardOf;
using simgpu::world::Link;
using simgpu::world::LinkKind;
using simgpu::world::World;

namespace {

CUresult LinkOf(CUdevice a, CUdevice b, Link* link) {
  int from = 0;
  int to = 0;
  SIMGPU_TRY(CardOf(a, &from));
  SIMGPU_TRY(CardOf(b, &to));
  *link = World::Instance().scenario().LinkBetween(from, to);
  return CUDA_SUCCESS;
}

CUresult FillCapabilities(unsigned capability, unsigned* capabilities,
                          const CUatomicOperation* operations, unsigned count) {
  SIMGPU_REQUIRE(capabilities != nullptr && operations != nullptr && count > 0,
                 CUDA_ERROR_INVALID_VALUE);
  for (unsigned i = 0; i < count; ++i) {
    SIMGPU_REQUIRE(operations[i] >= 0 && operations[i] < CU_ATOMIC_OPERATION_MAX,
                   CUDA_ERROR_INVALID_VALUE);
  }
  for (unsigned i = 0; i < count; ++i) capabilities[i] = capability;
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuDeviceCanAccessPeer(int* can_access_peer, CUdevice device, CUdevice peer_dev) {
  Link link;
  SIMGPU_TRY(LinkOf(device, peer_dev, &link));
  SIMGPU_REQUIRE(can_access_peer != nullptr, CUDA_ERROR_INVALID_VALUE);
  *can_access_peer = device != peer_dev;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib, CUdevice src_device,
                                 CUdevice dst_device) {
  Link link;
  SIMGPU_TRY(LinkOf(src_device, dst_device, &link));
  SIMGPU_REQUIRE(src_device != dst_device, CUDA_ERROR_INVALID_DEVICE);
  SIMGPU_REQUIRE(value != nullptr, CUDA_ERROR_INVALID_VALUE);
  switch (attrib) {
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
      *value = link.kind == LinkKind::kNvlink ? 0 : 1;  // lower is faster
      return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
      *value = 1;
      return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
      *value = link.kind == LinkKind::kNvlink;
      return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED:
      *value = 0;
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetP2PAtomicCapabilities(unsigned* capabilities,
                                          const CUatomicOperation* operations, unsigned count,
                                          CUdevice src_device, CUdevice dst_device) {
  Link link;
  SIMGPU_TRY(LinkOf(src_device, dst_device, &link));
  SIMGPU_REQUIRE(src_device != dst_device, CUDA_ERROR_INVALID_DEVICE);
  const unsigned all = CU_ATOMIC_CAPABILITY_SIGNED | CU_ATOMIC_CAPABILITY_UNSIGNED |
                       CU_ATOMIC_CAPABILITY_REDUCTION | CU_ATOMIC_CAPABILITY_SCALAR_32 |
                       CU_ATOMIC_CAPABILITY_SCALAR_64;
  return FillCapabilities(link.kind == LinkKind::kNvlink ? all : 0, capabilities, operations,
                          count);
}

CUresult cuDeviceGetHostAtomicCapabilities(unsigned* capabilities,
                                           const CUatomicOperation* operations, unsigned count,
                                           CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  return FillCapabilities(0, capabilities, operations, count);  // no native atomics over PCIe
}
