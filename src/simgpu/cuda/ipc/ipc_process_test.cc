#include <gtest/gtest.h>
#include <signal.h>

#include <string>
#include <vector>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/ipc/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/pointer/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/vmm/api.h"
#include "simgpu/testing/two_processes.h"

namespace {

using simgpu::testing::Line;
using simgpu::testing::RunTwo;

constexpr size_t kBlock = 2 << 20;

class IpcTest : public simgpu::testing::WorldTest {};

void Start() {
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  CUcontext context = nullptr;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
}

size_t Free() {
  size_t free = 0;
  EXPECT_EQ(cuMemGetInfo_v2(&free, nullptr), CUDA_SUCCESS);
  return free;
}

unsigned char ByteAt(CUdeviceptr pointer) {
  unsigned char byte = 0;
  EXPECT_EQ(cuMemcpyDtoH_v2(&byte, pointer, 1), CUDA_SUCCESS);
  return byte;
}

TEST_F(IpcTest, SharesAnAllocationByItsHandle) {
  RunTwo(
      [](Line& line) {
        Start();
        CUdeviceptr pointer = 0;
        ASSERT_EQ(cuMemAlloc_v2(&pointer, 100000), CUDA_SUCCESS);
        ASSERT_EQ(cuMemsetD8_v2(pointer, 42, 100000), CUDA_SUCCESS);
        CUipcMemHandle handle = {};
        ASSERT_EQ(cuIpcGetMemHandle(&handle, pointer), CUDA_SUCCESS);
        CUdeviceptr own = 0;
        EXPECT_EQ(cuIpcOpenMemHandle_v2(&own, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
                  CUDA_ERROR_INVALID_CONTEXT);
        ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
        line.Send(handle);
        line.Meet();
        EXPECT_EQ(ByteAt(pointer + 99999), 43);
        EXPECT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
      },
      [](Line& line) {
        Start();
        const auto handle = line.Receive<CUipcMemHandle>();
        const size_t before = Free();
        CUdeviceptr pointer = 0;
        ASSERT_EQ(cuIpcOpenMemHandle_v2(&pointer, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
                  CUDA_SUCCESS);
        EXPECT_EQ(Free(), before);  // the exporter pays
        EXPECT_EQ(ByteAt(pointer), 42);
        size_t size = 0;
        EXPECT_EQ(cuMemGetAddressRange_v2(nullptr, &size, pointer), CUDA_SUCCESS);
        EXPECT_EQ(size, 100000u);
        CUdeviceptr again = 0;
        ASSERT_EQ(cuIpcOpenMemHandle(&again, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
                  CUDA_SUCCESS);
        EXPECT_EQ(again, pointer);
        EXPECT_EQ(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuIpcCloseMemHandle(pointer), CUDA_SUCCESS);
        ASSERT_EQ(cuMemsetD8_v2(pointer, 43, 100000), CUDA_SUCCESS);
        ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
        EXPECT_EQ(cuIpcCloseMemHandle(pointer), CUDA_SUCCESS);
        EXPECT_EQ(cuIpcCloseMemHandle(pointer), CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuMemsetD8_v2(pointer, 0, 1), CUDA_ERROR_INVALID_VALUE);
        CUipcMemHandle nonsense = {};
        EXPECT_EQ(cuIpcOpenMemHandle_v2(&pointer, nonsense, 1), CUDA_ERROR_INVALID_HANDLE);
        line.Meet();
      });
}

TEST_F(IpcTest, NamesTheAllocationByAnyAddressInside) {
  RunTwo(
      [](Line& line) {
        Start();
        CUdeviceptr first = 0;
        CUdeviceptr second = 0;
        ASSERT_EQ(cuMemAlloc_v2(&first, 5000), CUDA_SUCCESS);
        ASSERT_EQ(cuMemAlloc_v2(&second, 5000), CUDA_SUCCESS);
        ASSERT_EQ(cuMemsetD8_v2(second, 9, 5000), CUDA_SUCCESS);
        ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
        CUipcMemHandle handle = {};
        ASSERT_EQ(cuIpcGetMemHandle(&handle, second + 100), CUDA_SUCCESS);
        line.Send(handle);
        line.Meet();
        ASSERT_EQ(cuMemAllocManaged(&first, 5000, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
        EXPECT_EQ(cuIpcGetMemHandle(&handle, first), CUDA_ERROR_INVALID_VALUE);
      },
      [](Line& line) {
        Start();
        CUdeviceptr pointer = 0;
        ASSERT_EQ(cuIpcOpenMemHandle_v2(&pointer, line.Receive<CUipcMemHandle>(), 1), CUDA_SUCCESS);
        EXPECT_EQ(ByteAt(pointer), 9);
        EXPECT_EQ(ByteAt(pointer + 4999), 9);
        line.Meet();
      });
}

TEST_F(IpcTest, SharesPhysicalMemoryByDescriptor) {
  RunTwo(
      [](Line& line) {
        Start();
        CUmemAllocationProp props = {};
        props.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
        props.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        CUmemGenericAllocationHandle handle = 0;
        ASSERT_EQ(cuMemCreate(&handle, kBlock, &props, 0), CUDA_SUCCESS);
        int fd = -1;
        ASSERT_EQ(
            cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_SUCCESS);
        line.SendDescriptor(fd);
        close(fd);
        ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
        line.Meet();  // from here on only the other's descriptor keeps it
        line.Meet();
      },
      [](Line& line) {
        Start();
        const size_t before = Free();
        const int fd = line.ReceiveDescriptor();
        line.Meet();
        CUmemGenericAllocationHandle handle = 0;
        ASSERT_EQ(cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(intptr_t{fd}),
                                                 CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
                  CUDA_SUCCESS);
        close(fd);
        CUdeviceptr pointer = 0;
        ASSERT_EQ(cuMemAddressReserve(&pointer, kBlock, 0, 0, 0), CUDA_SUCCESS);
        ASSERT_EQ(cuMemMap(pointer, kBlock, 0, handle, 0), CUDA_SUCCESS);
        const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                        CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
        ASSERT_EQ(cuMemSetAccess(pointer, kBlock, &access, 1), CUDA_SUCCESS);
        ASSERT_EQ(cuMemsetD8_v2(pointer, 1, kBlock), CUDA_SUCCESS);
        EXPECT_EQ(ByteAt(pointer + kBlock - 1), 1);
        EXPECT_LE(Free(), before);
        line.Meet();
      });
}

TEST_F(IpcTest, SharesAPoolAndItsAllocations) {
  RunTwo(
      [](Line& line) {
        Start();
        CUmemPoolProps props = {};
        props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
        props.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        CUmemoryPool pool = nullptr;
        ASSERT_EQ(cuMemPoolCreate(&pool, &props), CUDA_SUCCESS);
        CUdeviceptr pointer = 0;
        ASSERT_EQ(cuMemAllocFromPoolAsync(&pointer, 5000, pool, nullptr), CUDA_SUCCESS);
        ASSERT_EQ(cuMemAllocFromPoolAsync(&pointer, 5000, pool, nullptr), CUDA_SUCCESS);
        ASSERT_EQ(cuMemsetD8_v2(pointer, 77, 5000), CUDA_SUCCESS);
        ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
        int fd = -1;
        ASSERT_EQ(cuMemPoolExportToShareableHandle(&fd, pool,
                                                   CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
                  CUDA_SUCCESS);
        line.SendDescriptor(fd);
        CUmemPoolPtrExportData data = {};
        ASSERT_EQ(cuMemPoolExportPointer(&data, pointer), CUDA_SUCCESS);
        line.Send(data);
        line.Meet();
      },
      [](Line& line) {
        Start();
        const int fd = line.ReceiveDescriptor();
        auto data = line.Receive<CUmemPoolPtrExportData>();
        const size_t before = Free();
        CUmemoryPool pool = nullptr;
        ASSERT_EQ(cuMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(intptr_t{fd}),
                                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
                  CUDA_SUCCESS);
        CUdeviceptr pointer = 0;
        EXPECT_EQ(cuMemAllocFromPoolAsync(&pointer, 16, pool, nullptr), CUDA_ERROR_INVALID_VALUE);
        ASSERT_EQ(cuMemPoolImportPointer(&pointer, pool, &data), CUDA_SUCCESS);
        EXPECT_EQ(ByteAt(pointer + 4999), 77);
        EXPECT_EQ(Free(), before);
        EXPECT_EQ(cuMemFreeAsync(pointer, nullptr), CUDA_SUCCESS);
        ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
        EXPECT_EQ(cuMemPoolDestroy(pool), CUDA_SUCCESS);
        line.Meet();
      });
}

TEST_F(IpcTest, GivesBackTheMemoryOfAKilledProcess) {
  RunTwo(
      [](Line& line) {
        Start();
        line.Meet();
        const pid_t other = line.Receive<pid_t>();
        const size_t held = Free();
        ASSERT_EQ(kill(other, SIGKILL), 0);
        while (Free() <= held) {
        }
        EXPECT_GE(Free() - held, size_t{100} << 20);
      },
      [](Line& line) {
        // The one to be killed is this process's child: this one has to end well.
        int sync[2] = {};
        ASSERT_EQ(pipe(sync), 0);
        const pid_t victim = fork();
        if (victim == 0) {
          Start();
          CUdeviceptr pointer = 0;
          ASSERT_EQ(cuMemAlloc_v2(&pointer, size_t{100} << 20), CUDA_SUCCESS);
          ASSERT_EQ(write(sync[1], ".", 1), 1);
          pause();
        }
        char byte = 0;
        ASSERT_EQ(read(sync[0], &byte, 1), 1);
        line.Meet();
        line.Send(victim);
        int status = 0;
        ASSERT_EQ(waitpid(victim, &status, 0), victim);
      });
}

TEST_F(IpcTest, ImportsItsOwnDescriptorsAsExternalMemory) {
  const int status = simgpu::testing::RunInChild([] {
    Start();
    const size_t before = Free();
    CUmemAllocationProp props = {};
    props.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    props.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle handle = 0;
    ASSERT_EQ(cuMemCreate(&handle, kBlock, &props, 0), CUDA_SUCCESS);
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {};
    desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    desc.size = kBlock;
    ASSERT_EQ(cuMemExportToShareableHandle(&desc.handle.fd, handle,
                                           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
              CUDA_SUCCESS);
    CUexternalMemory memory = nullptr;
    ASSERT_EQ(cuImportExternalMemory(&memory, &desc), CUDA_SUCCESS);
    ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC part = {};
    part.offset = 4096;
    part.size = 8192;
    CUdeviceptr pointer = 0;
    ASSERT_EQ(cuExternalMemoryGetMappedBuffer(&pointer, memory, &part), CUDA_SUCCESS);
    ASSERT_EQ(cuMemsetD8_v2(pointer, 3, 8192), CUDA_SUCCESS);
    EXPECT_EQ(ByteAt(pointer + 8191), 3);
    part.size = kBlock;
    CUdeviceptr beyond = 0;
    EXPECT_EQ(cuExternalMemoryGetMappedBuffer(&beyond, memory, &part), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(before - Free(), kBlock);
    ASSERT_EQ(cuDestroyExternalMemory(memory), CUDA_SUCCESS);
    EXPECT_EQ(before - Free(), kBlock);
    ASSERT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
    EXPECT_EQ(Free(), before);
    EXPECT_EQ(cuDestroyExternalMemory(memory), CUDA_ERROR_INVALID_HANDLE);
    desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32;
    EXPECT_EQ(cuImportExternalMemory(&memory, &desc), CUDA_ERROR_NOT_SUPPORTED);
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
