#include <gtest/gtest.h>
#include <sys/mman.h>

#include <vector>

#include "simgpu/testing/context_fixture.h"

namespace {

class HostTest : public simgpu::testing::ContextTest {};

TEST_F(HostTest, GivesHostMemoryThatCardsReachAtTheSameAddress) {
  void* host = nullptr;
  const size_t before = Free();
  ASSERT_EQ(cuMemHostAlloc(&host, 10000, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
            CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
  static_cast<char*>(host)[9999] = 1;
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuMemHostGetDevicePointer_v2(&pointer, host, 0), CUDA_SUCCESS);
  EXPECT_EQ(pointer, reinterpret_cast<CUdeviceptr>(host));
  unsigned flags = 0;
  EXPECT_EQ(cuMemHostGetFlags(&flags, host), CUDA_SUCCESS);
  EXPECT_EQ(flags, unsigned{CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP});
  EXPECT_EQ(cuMemFreeHost(host), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFreeHost(host), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(HostTest, IsFreedByAThreadThatHasLetGoOfItsContext) {
  void* host = nullptr;
  ASSERT_EQ(cuMemHostAlloc(&host, 4096, 0), CUDA_SUCCESS);
  std::vector<char> own(4096);
  ASSERT_EQ(cuMemHostRegister_v2(own.data(), own.size(), 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFreeHost(host), CUDA_SUCCESS);
  EXPECT_EQ(cuMemHostUnregister(own.data()), CUDA_SUCCESS);
  EXPECT_EQ(cuMemHostUnregister(own.data()), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(HostTest, RefusesWhatADriverRefuses) {
  void* host = nullptr;
  EXPECT_EQ(cuMemHostAlloc(&host, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemHostAlloc(&host, 16, 0x100), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocHost_v2(nullptr, 16), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFreeHost(&host), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuMemHostGetDevicePointer_v2(&pointer, &host, 0), CUDA_ERROR_INVALID_VALUE);
  unsigned flags = 0;
  EXPECT_EQ(cuMemHostGetFlags(&flags, &host), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(HostTest, DoesNotMixHostAndDeviceFrees) {
  void* host = nullptr;
  ASSERT_EQ(cuMemAllocHost_v2(&host, 4096), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(reinterpret_cast<CUdeviceptr>(host)), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAlloc_v2(&pointer, 4096), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFreeHost(reinterpret_cast<void*>(pointer)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFreeHost(host), CUDA_SUCCESS);
}

TEST_F(HostTest, RegistersMemoryOnce) {
  std::vector<char> buffer(100000);
  ASSERT_EQ(cuMemHostRegister_v2(buffer.data(), buffer.size(), 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemHostRegister_v2(buffer.data(), buffer.size(), 0),
            CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(cuMemHostRegister_v2(buffer.data() + 5000, 10, 0),
            CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuMemHostGetDevicePointer_v2(&pointer, &buffer[99999], 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemHostUnregister(buffer.data() + 1), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(cuMemHostUnregister(buffer.data()), CUDA_SUCCESS);
  EXPECT_EQ(cuMemHostUnregister(buffer.data()), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(HostTest, RefusesToRegisterWhatIsNotMapped) {
  void* const pages =
      mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(munmap(static_cast<char*>(pages) + 4096, 4096), 0);
  EXPECT_EQ(cuMemHostRegister_v2(pages, 8192, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemHostRegister_v2(pages, 4096, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemHostUnregister(pages), CUDA_SUCCESS);
  munmap(pages, 4096);
  EXPECT_EQ(cuMemHostRegister_v2(nullptr, 4096, 0), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
