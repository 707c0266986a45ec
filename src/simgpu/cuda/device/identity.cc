// Who a device is: count, name, UUID, PCI address, memory size.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>

#include "simgpu/cuda/device/api.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/result.h"

using simgpu::cuda::CardOf;
using simgpu::cuda::Ready;
using simgpu::cuda::SpecOf;
using simgpu::cuda::VisibleCards;
using simgpu::world::PciAddress;

namespace {

// As much as fits, always ended by a zero.
CUresult CopyText(const char* text, char* buffer, int length) {
  SIMGPU_REQUIRE(buffer != nullptr && length > 0, CUDA_ERROR_INVALID_VALUE);
  std::snprintf(buffer, static_cast<size_t>(length), "%s", text);
  return CUDA_SUCCESS;
}

// [domain:]bus:device[.function], all in hexadecimal.
bool ParsePci(const char* text, PciAddress* address) {
  int end = 0;
  if (std::sscanf(text, "%x:%x:%x%n", &address->domain, &address->bus, &address->device, &end) !=
      3) {
    address->domain = 0;
    if (std::sscanf(text, "%x:%x%n", &address->bus, &address->device, &end) != 2) return false;
  }
  const char* rest = text + end;
  return *rest == '\0' || std::strcmp(rest, ".0") == 0;
}

}  // namespace

CUresult cuDeviceGetCount(int* count) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(count != nullptr, CUDA_ERROR_INVALID_VALUE);
  *count = static_cast<int>(VisibleCards().size());
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(device != nullptr, CUDA_ERROR_INVALID_VALUE);
  int card = 0;
  SIMGPU_TRY(CardOf(ordinal, &card));
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int len, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  return CopyText(SpecOf(card).name.c_str(), name, len);
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(uuid != nullptr, CUDA_ERROR_INVALID_VALUE);
  std::memcpy(uuid->bytes, SpecOf(card).uuid.data(), sizeof(uuid->bytes));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }

// Only on Windows.
CUresult cuDeviceGetLuid(char*, unsigned*, CUdevice) { return CUDA_ERROR_NOT_SUPPORTED; }

CUresult cuDeviceGetPCIBusId(char* pci_bus_id, int len, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  const PciAddress& pci = SpecOf(card).pci;
  char text[32];
  std::snprintf(text, sizeof(text), "%04X:%02X:%02X.0", pci.domain, pci.bus, pci.device);
  return CopyText(text, pci_bus_id, len);
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* pci_bus_id) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(device != nullptr && pci_bus_id != nullptr, CUDA_ERROR_INVALID_VALUE);
  PciAddress wanted;
  SIMGPU_REQUIRE(ParsePci(pci_bus_id, &wanted), CUDA_ERROR_INVALID_VALUE);
  const std::vector<int>& visible = VisibleCards();
  const auto found = std::find_if(visible.begin(), visible.end(), [&wanted](int card) {
    const PciAddress& pci = SpecOf(card).pci;
    return pci.domain == wanted.domain && pci.bus == wanted.bus && pci.device == wanted.device;
  });
  SIMGPU_REQUIRE(found != visible.end(), CUDA_ERROR_INVALID_DEVICE);
  *device = static_cast<CUdevice>(found - visible.begin());
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(bytes != nullptr, CUDA_ERROR_INVALID_VALUE);
  *bytes = SpecOf(card).memory_bytes;
  return CUDA_SUCCESS;
}

// For programs from the time of 32 bits: never more than they can count.
CUresult cuDeviceTotalMem(unsigned* bytes, CUdevice device) {
  SIMGPU_REQUIRE(bytes != nullptr, CUDA_ERROR_INVALID_VALUE);
  size_t total = 0;
  SIMGPU_TRY(cuDeviceTotalMem_v2(&total, device));
  *bytes = static_cast<unsigned>(std::min<size_t>(total, UINT_MAX));
  return CUDA_SUCCESS;
}
