#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/pointer/api.h"
#include "simgpu/cuda/vmm/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

constexpr size_t kBlock = 2 << 20;
constexpr CUmemAccessDesc kReadWrite = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                        CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
constexpr CUmemAccessDesc kReadOnly = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                       CU_MEM_ACCESS_FLAGS_PROT_READ};

class VmmTest : public simgpu::testing::ContextTest {
 protected:
  void SetUp() override {
    ContextTest::SetUp();
    props_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    props_.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    ASSERT_EQ(cuMemAddressReserve(&base_, 8 * kBlock, 0, 0, 0), CUDA_SUCCESS);
  }

  void TearDown() override {
    EXPECT_EQ(cuMemAddressFree(base_, 8 * kBlock), CUDA_SUCCESS);
    ContextTest::TearDown();
  }

  CUmemGenericAllocationHandle Create(size_t blocks) {
    CUmemGenericAllocationHandle handle = 0;
    EXPECT_EQ(cuMemCreate(&handle, blocks * kBlock, &props_, 0), CUDA_SUCCESS);
    return handle;
  }

  CUdeviceptr At(size_t block) const { return base_ + block * kBlock; }

  CUmemAllocationProp props_ = {};
  CUdeviceptr base_ = 0;
};

TEST_F(VmmTest, ChargesPhysicalMemoryAndNothingElse) {
  const size_t before = Free();
  CUdeviceptr huge = 0;
  ASSERT_EQ(cuMemAddressReserve(&huge, size_t{64} << 30, 0, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
  ASSERT_EQ(cuMemAddressFree(huge, size_t{64} << 30), CUDA_SUCCESS);
  const auto handle = Create(2);
  EXPECT_EQ(before - Free(), 2 * kBlock);
  ASSERT_EQ(cuMemMap(base_, 2 * kBlock, 0, handle, 0), CUDA_SUCCESS);
  EXPECT_EQ(before - Free(), 2 * kBlock);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(before - Free(), 2 * kBlock);  // the mapping keeps it
  ASSERT_EQ(cuMemUnmap(base_, 2 * kBlock), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
}

TEST_F(VmmTest, FreesWithTheLastReferenceWhenNothingIsMapped) {
  const size_t before = Free();
  const auto handle = Create(1);
  ASSERT_EQ(cuMemMap(base_, kBlock, 0, handle, 0), CUDA_SUCCESS);
  CUmemGenericAllocationHandle again = 0;
  ASSERT_EQ(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(base_ + 100)),
            CUDA_SUCCESS);
  EXPECT_EQ(again, handle);
  ASSERT_EQ(cuMemUnmap(base_, kBlock), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(before - Free(), kBlock);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
  EXPECT_EQ(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemMap(base_, kBlock, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(VmmTest, RetainsWhatIsOnlyMapped) {
  const auto handle = Create(1);
  ASSERT_EQ(cuMemMap(base_, kBlock, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
  CUmemGenericAllocationHandle again = 0;
  ASSERT_EQ(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(base_)), CUDA_SUCCESS);
  EXPECT_EQ(again, handle);
  ASSERT_EQ(cuMemRelease(again), CUDA_SUCCESS);
  ASSERT_EQ(cuMemUnmap(base_, kBlock), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(base_)),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(VmmTest, CannotBeTouchedBeforeAccessIsSet) {
  const auto handle = Create(1);
  ASSERT_EQ(cuMemMap(base_, kBlock, 0, handle, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8_v2(base_, 1, 16), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemSetAccess(base_, kBlock, &kReadOnly, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8_v2(base_, 1, 16), CUDA_ERROR_INVALID_VALUE);
  unsigned long long flags = 0;
  EXPECT_EQ(cuMemGetAccess(&flags, &kReadOnly.location, base_), CUDA_SUCCESS);
  EXPECT_EQ(flags, unsigned{CU_MEM_ACCESS_FLAGS_PROT_READ});
  ASSERT_EQ(cuMemSetAccess(base_, kBlock, &kReadWrite, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8_v2(base_, 1, 16), CUDA_SUCCESS);
  ASSERT_EQ(cuMemUnmap(base_, kBlock), CUDA_SUCCESS);
  EXPECT_EQ(cuMemGetAccess(&flags, &kReadOnly.location, base_), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
}

TEST_F(VmmTest, CopiesAcrossMappingsThatFollowEachOther) {
  const auto first = Create(1);
  const auto second = Create(2);
  ASSERT_EQ(cuMemMap(At(0), kBlock, 0, first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(At(1), 2 * kBlock, 0, second, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemSetAccess(base_, 3 * kBlock, &kReadWrite, 1), CUDA_SUCCESS);
  const std::vector<char> sent(kBlock, 'x');
  ASSERT_EQ(cuMemcpyHtoD_v2(At(0) + kBlock / 2, sent.data(), kBlock), CUDA_SUCCESS);
  char read = 0;
  ASSERT_EQ(cuMemcpyDtoH_v2(&read, At(1) + kBlock / 2 - 1, 1), CUDA_SUCCESS);
  EXPECT_EQ(read, 'x');
  EXPECT_EQ(cuMemcpyHtoD_v2(At(2) + 1, sent.data(), kBlock), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr base = 0;
  size_t size = 0;
  ASSERT_EQ(cuMemGetAddressRange_v2(&base, &size, At(2)), CUDA_SUCCESS);
  EXPECT_EQ(base, At(1));
  EXPECT_EQ(size, 2 * kBlock);
  ASSERT_EQ(cuMemUnmap(base_, 3 * kBlock), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(first), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(second), CUDA_SUCCESS);
}

TEST_F(VmmTest, ReadsZeroWhereAnotherMemoryWasBefore) {
  for (int round = 0; round < 2; ++round) {
    const auto handle = Create(1);
    ASSERT_EQ(cuMemMap(At(0), kBlock, 0, handle, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemSetAccess(At(0), kBlock, &kReadWrite, 1), CUDA_SUCCESS);
    unsigned read = 1;
    ASSERT_EQ(cuMemcpyDtoH_v2(&read, At(0), 4), CUDA_SUCCESS);
    EXPECT_EQ(read, 0u);
    ASSERT_EQ(cuMemsetD32_v2(At(0), 1234, 10), CUDA_SUCCESS);
    ASSERT_EQ(cuMemUnmap(At(0), kBlock), CUDA_SUCCESS);
    ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
    ASSERT_EQ(cuMemRelease(Create(1)), CUDA_SUCCESS);  // never mapped
  }
}

TEST_F(VmmTest, ShowsTheSameMemoryAtTwoAddresses) {
  const auto handle = Create(1);
  ASSERT_EQ(cuMemMap(At(0), kBlock, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(At(4), kBlock, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemSetAccess(At(0), kBlock, &kReadWrite, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuMemSetAccess(At(4), kBlock, &kReadWrite, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32_v2(At(0), 1234, 10), CUDA_SUCCESS);
  unsigned read = 0;
  ASSERT_EQ(cuMemcpyDtoH_v2(&read, At(4) + 36, 4), CUDA_SUCCESS);
  EXPECT_EQ(read, 1234u);
  ASSERT_EQ(cuMemUnmap(At(0), kBlock), CUDA_SUCCESS);
  ASSERT_EQ(cuMemUnmap(At(4), kBlock), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
}

TEST_F(VmmTest, RefusesWhatADriverRefuses) {
  CUmemGenericAllocationHandle handle = 0;
  EXPECT_EQ(cuMemCreate(&handle, kBlock + 1, &props_, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemCreate(&handle, 0, &props_, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemCreate(&handle, kBlock, &props_, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemCreate(&handle, size_t{1} << 40, &props_, 0), CUDA_ERROR_OUT_OF_MEMORY);
  props_.location.id = 7;
  EXPECT_EQ(cuMemCreate(&handle, kBlock, &props_, 0), CUDA_ERROR_INVALID_DEVICE);
  props_.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
  EXPECT_EQ(cuMemCreate(&handle, kBlock, &props_, 0), CUDA_ERROR_NOT_SUPPORTED);
  props_.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  handle = Create(1);
  EXPECT_EQ(cuMemMap(base_ + 4096, kBlock, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemMap(base_, 2 * kBlock, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemMap(At(8), kBlock, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemMap(base_, kBlock, 0, handle, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemMap(base_, kBlock, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemSetAccess(base_, 2 * kBlock, &kReadWrite, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(base_, 2 * kBlock), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressFree(base_, 8 * kBlock), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(base_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(base_, kBlock), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAddressFree(base_, 4 * kBlock), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(VmmTest, ReservesAtTheHintAndTheAlignmentAskedFor) {
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAddressReserve(&pointer, kBlock, size_t{1} << 30, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(pointer % (size_t{1} << 30), 0u);
  ASSERT_EQ(cuMemAddressFree(pointer, kBlock), CUDA_SUCCESS);
  CUdeviceptr again = 0;
  ASSERT_EQ(cuMemAddressReserve(&again, kBlock, 0, pointer, 0), CUDA_SUCCESS);
  EXPECT_EQ(again, pointer);
  ASSERT_EQ(cuMemAddressFree(again, kBlock), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAddressReserve(&pointer, kBlock, 3, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressReserve(&pointer, 100, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  size_t granularity = 0;
  ASSERT_EQ(cuMemGetAllocationGranularity(&granularity, &props_, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_SUCCESS);
  EXPECT_EQ(granularity, kBlock);
}

TEST_F(VmmTest, ImportsWhatItExportedAndChargesItOnce) {
  const size_t before = Free();
  props_.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  const auto handle = Create(1);
  int fd = -1;
  ASSERT_EQ(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_FABRIC, 0),
            CUDA_ERROR_NOT_SUPPORTED);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(before - Free(), kBlock);  // the descriptor keeps it
  CUmemGenericAllocationHandle imported = 0;
  ASSERT_EQ(cuMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(intptr_t{fd}),
                                           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
            CUDA_SUCCESS);
  close(fd);
  EXPECT_EQ(before - Free(), kBlock);
  CUmemAllocationProp told = {};
  ASSERT_EQ(cuMemGetAllocationPropertiesFromHandle(&told, imported), CUDA_SUCCESS);
  EXPECT_EQ(told.location.id, 0);
  ASSERT_EQ(cuMemMap(base_, kBlock, 0, imported, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemUnmap(base_, kBlock), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(imported), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
  EXPECT_EQ(cuMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(intptr_t{0}),
                                           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(VmmTest, RefusesToExportWhatWasNotMadeForIt) {
  const auto handle = Create(1);
  int fd = -1;
  EXPECT_EQ(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
}

TEST_F(VmmTest, TellsPointersByTheirReservation) {
  const auto handle = Create(1);
  ASSERT_EQ(cuMemMap(At(1), kBlock, 0, handle, 0), CUDA_SUCCESS);
  CUdeviceptr start = 0;
  int mapped = -1;
  ASSERT_EQ(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, At(1)),
            CUDA_SUCCESS);
  EXPECT_EQ(start, base_);
  ASSERT_EQ(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, At(1)), CUDA_SUCCESS);
  EXPECT_EQ(mapped, 1);
  ASSERT_EQ(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, At(0)), CUDA_SUCCESS);
  EXPECT_EQ(mapped, 0);
  EXPECT_EQ(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, At(0)),
            CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemUnmap(At(1), kBlock), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
}

}  // namespace
