// Physical memory of the virtual memory API, as programs make, map, export and import it.
#pragma once

#include <sys/socket.h>

#include <cstring>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/vmm/api.h"

namespace warpshare::testing {

using Handle = CUmemGenericAllocationHandle;

constexpr uint64_t kPiece = 2 * kMiB;  // the granularity

class VirtualMemoryTest : public MemoryTest {
 public:
  static CUmemAllocationProp On(CUdevice device) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    return properties;
  }
  static Handle Create(Tenant& tenant, uint64_t bytes, CUdevice device = 0) {
    const CUmemAllocationProp properties = On(device);
    Handle handle = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemCreate)(&handle, bytes, &properties, 0), CUDA_SUCCESS);
    return handle;
  }
  static CUdeviceptr Reserve(Tenant& tenant, uint64_t bytes) {
    CUdeviceptr address = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressReserve)(&address, bytes, 0, 0, 0), CUDA_SUCCESS);
    return address;
  }
  static void Map(Tenant& tenant, CUdeviceptr address, uint64_t bytes, Handle handle) {
    EXPECT_EQ(CALL(tenant.cuda, cuMemMap)(address, bytes, 0, handle, 0), CUDA_SUCCESS);
  }
  static void Unmap(Tenant& tenant, CUdeviceptr address, uint64_t bytes) {
    EXPECT_EQ(CALL(tenant.cuda, cuMemUnmap)(address, bytes), CUDA_SUCCESS);
  }
  static void Release(Tenant& tenant, Handle handle) {
    EXPECT_EQ(CALL(tenant.cuda, cuMemRelease)(handle), CUDA_SUCCESS);
  }
  static int Export(Tenant& tenant, Handle handle) {
    int fd = -1;
    EXPECT_EQ(CALL(tenant.cuda, cuMemExportToShareableHandle)(
                  &fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
              CUDA_SUCCESS);
    return fd;
  }
  static CUresult TryImport(Tenant& tenant, int fd, Handle& handle) {
    return CALL(tenant.cuda, cuMemImportFromShareableHandle)(
        &handle, reinterpret_cast<void*>(intptr_t{fd}), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  }
  // As a call does that is refused.
  static void TakeBackFromTheDead(Tenant& tenant) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kLimit), CUDA_ERROR_OUT_OF_MEMORY);
  }
  static Handle Import(Tenant& tenant, int fd) {
    Handle handle = 0;
    EXPECT_EQ(TryImport(tenant, fd, handle), CUDA_SUCCESS);
    return handle;
  }
};

inline void SendFd(int socket, int fd) {
  char byte = 'f';
  iovec content{&byte, 1};
  char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &fd, sizeof(fd));
  ASSERT_EQ(sendmsg(socket, &message, 0), 1);
}

inline int ReceiveFd(int socket) {
  char byte = 0;
  iovec content{&byte, 1};
  char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  EXPECT_EQ(recvmsg(socket, &message, 0), 1);
  int fd = -1;
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
  return fd;
}

}  // namespace warpshare::testing
