// What a program asks of a device.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuDeviceCanAccessPeer(int* can_access_peer, CUdevice device,
                                             CUdevice peer_dev);
SIMGPU_EXPORT CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal);
SIMGPU_EXPORT CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attrib, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* pci_bus_id);
SIMGPU_EXPORT CUresult cuDeviceGetCount(int* count);
SIMGPU_EXPORT CUresult cuDeviceGetExecAffinitySupport(int* value, CUexecAffinityType type,
                                                      CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetHostAtomicCapabilities(unsigned* capabilities,
                                                         const CUatomicOperation* operations,
                                                         unsigned count, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetLuid(char* luid, unsigned* device_node_mask, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetName(char* name, int len, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetNvSciSyncAttributes(void* nv_sci_sync_attr_list, CUdevice device,
                                                      int flags);
SIMGPU_EXPORT CUresult cuDeviceGetP2PAtomicCapabilities(unsigned* capabilities,
                                                        const CUatomicOperation* operations,
                                                        unsigned count, CUdevice src_device,
                                                        CUdevice dst_device);
SIMGPU_EXPORT CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib,
                                               CUdevice src_device, CUdevice dst_device);
SIMGPU_EXPORT CUresult cuDeviceGetPCIBusId(char* pci_bus_id, int len, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* max_width_in_elements,
                                                          CUarray_format format,
                                                          unsigned num_channels, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceRegisterAsyncNotification(CUdevice device,
                                                         CUasyncCallback callback_func,
                                                         void* user_data,
                                                         CUasyncCallbackHandle* callback);
SIMGPU_EXPORT CUresult cuDeviceTotalMem(unsigned* bytes, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceUnregisterAsyncNotification(CUdevice device,
                                                           CUasyncCallbackHandle callback);
SIMGPU_EXPORT CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                                  CUflushGPUDirectRDMAWritesScope scope);
