#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"
#include "simgpu/testing/stream_gate.h"

namespace {

constexpr size_t kBytes = 1 << 20;

std::vector<unsigned char> Pattern(size_t bytes, unsigned char seed) {
  std::vector<unsigned char> pattern(bytes);
  std::iota(pattern.begin(), pattern.end(), seed);
  return pattern;
}

class CopyTest : public simgpu::testing::ContextTest {
 protected:
  void SetUp() override {
    ContextTest::SetUp();
    ASSERT_EQ(cuMemAlloc_v2(&a_, kBytes), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc_v2(&b_, kBytes), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  }

  std::vector<unsigned char> Read(CUdeviceptr from, size_t bytes) {
    std::vector<unsigned char> data(bytes);
    EXPECT_EQ(cuMemcpyDtoH_v2(data.data(), from, bytes), CUDA_SUCCESS);
    return data;
  }

  CUdeviceptr a_ = 0;
  CUdeviceptr b_ = 0;
  CUstream stream_ = nullptr;
};

TEST_F(CopyTest, ReadsBackWhatWasCopiedIn) {
  const auto sent = Pattern(kBytes, 3);
  ASSERT_EQ(cuMemcpyHtoD_v2(a_, sent.data(), kBytes), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoD_v2(b_, a_, kBytes), CUDA_SUCCESS);
  EXPECT_EQ(Read(b_, kBytes), sent);
  ASSERT_EQ(cuMemcpy(b_ + 1, a_, 10), CUDA_SUCCESS);
  EXPECT_EQ(Read(b_ + 1, 10), Pattern(10, 3));
}

TEST_F(CopyTest, RefusesWhatIsNotInsideOneAllocation) {
  unsigned char byte = 0;
  EXPECT_EQ(cuMemcpyDtoH_v2(&byte, a_ + kBytes, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoD_v2(a_ + kBytes - 1, &kBytes, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoD_v2(0, &byte, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoD_v2(a_, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyDtoH_v2(&byte, reinterpret_cast<CUdeviceptr>(&byte), 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoD_v2(a_, &byte, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(a_, &byte, 1, reinterpret_cast<CUstream>(0x1234)),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(CopyTest, TakesPageableSourcesBeforeItReturns) {
  auto sent = Pattern(1000, 1);
  ASSERT_EQ(cuMemcpyHtoDAsync_v2(a_, sent.data(), sent.size(), stream_), CUDA_SUCCESS);
  std::fill(sent.begin(), sent.end(), 0);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(Read(a_, 1000), Pattern(1000, 1));
  auto large = Pattern(kBytes, 2);
  ASSERT_EQ(cuMemcpyHtoDAsync_v2(a_, large.data(), kBytes, stream_), CUDA_SUCCESS);
  std::fill(large.begin(), large.end(), 0);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(Read(a_, kBytes), Pattern(kBytes, 2));
}

TEST_F(CopyTest, CopiesPinnedMemoryInStreamOrder) {
  void* host = nullptr;
  ASSERT_EQ(cuMemAllocHost_v2(&host, 4096), CUDA_SUCCESS);
  std::memset(host, 5, 4096);
  ASSERT_EQ(cuMemcpyHtoDAsync_v2(a_, host, 4096, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8Async(a_, 9, 100, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoDAsync_v2(b_, a_, 4096, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoHAsync_v2(host, b_, 4096, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  const auto* const bytes = static_cast<const unsigned char*>(host);
  EXPECT_EQ(bytes[99], 9);
  EXPECT_EQ(bytes[100], 5);
}

TEST_F(CopyTest, FillsWithEveryWidth) {
  ASSERT_EQ(cuMemsetD8_v2(a_, 0xab, 7), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD16_v2(a_ + 8, 0x1234, 3), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32_v2(a_ + 16, 0xdeadbeef, 2), CUDA_SUCCESS);
  const auto data = Read(a_, 24);
  EXPECT_EQ(data[6], 0xab);
  EXPECT_EQ(data[12], 0x34);
  EXPECT_EQ(data[13], 0x12);
  EXPECT_EQ(data[23], 0xde);
  EXPECT_EQ(cuMemsetD16_v2(a_ + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD32_v2(a_ + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD8_v2(a_, 0, kBytes + 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(CopyTest, FillsRowsAndLeavesTheRestOfTheirPitch) {
  ASSERT_EQ(cuMemsetD8_v2(a_, 1, 64), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD2D8_v2(a_, 16, 2, 10, 3), CUDA_SUCCESS);
  const auto data = Read(a_, 64);
  EXPECT_EQ(data[9], 2);
  EXPECT_EQ(data[10], 1);
  EXPECT_EQ(data[41], 2);
  EXPECT_EQ(data[48], 1);
  EXPECT_EQ(cuMemsetD2D8_v2(a_, 9, 2, 10, 3), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(CopyTest, ClearsLargeRangesToTheByte) {
  const size_t bytes = 8 << 20;
  CUdeviceptr large = 0;
  ASSERT_EQ(cuMemAlloc_v2(&large, bytes), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8_v2(large, 0xff, bytes), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8_v2(large + 5, 0, bytes - 10), CUDA_SUCCESS);
  auto expected = std::vector<unsigned char>(bytes, 0);
  std::fill_n(expected.begin(), 5, 0xff);
  std::fill_n(expected.end() - 5, 5, 0xff);
  EXPECT_EQ(Read(large, bytes), expected);
}

TEST_F(CopyTest, CopiesRowsBetweenPitches) {
  const auto sent = Pattern(12 * 4, 1);  // 4 rows of 12
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = sent.data();
  copy.srcPitch = 12;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = a_;
  copy.dstPitch = 100;
  copy.dstXInBytes = 4;
  copy.dstY = 1;
  copy.WidthInBytes = 12;
  copy.Height = 4;
  ASSERT_EQ(cuMemcpy2D_v2(&copy), CUDA_SUCCESS);
  EXPECT_EQ(Read(a_ + 100 * 4 + 4, 12), std::vector<unsigned char>(sent.begin() + 36, sent.end()));
  copy.dstPitch = 15;  // narrower than 4 + 12
  EXPECT_EQ(cuMemcpy2D_v2(&copy), CUDA_ERROR_INVALID_VALUE);
  copy.dstPitch = kBytes;
  EXPECT_EQ(cuMemcpy2DAsync_v2(&copy, stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpy2D_v2(nullptr), CUDA_ERROR_INVALID_VALUE);
  copy.Height = 0;
  EXPECT_EQ(cuMemcpy2D_v2(&copy), CUDA_SUCCESS);
}

TEST_F(CopyTest, CopiesBoxes) {
  const auto sent = Pattern(4 * 3 * 2, 0);
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(sent.data());
  copy.srcPitch = 4;
  copy.srcHeight = 3;
  copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.dstDevice = a_;
  copy.dstPitch = 8;
  copy.dstHeight = 4;
  copy.dstZ = 1;
  copy.WidthInBytes = 4;
  copy.Height = 3;
  copy.Depth = 2;
  ASSERT_EQ(cuMemcpy3DAsync_v2(&copy, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(Read(a_ + 2 * 32 + 2 * 8, 4), Pattern(4, 20));
  copy.srcLOD = 1;
  EXPECT_EQ(cuMemcpy3D_v2(&copy), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(CopyTest, CopiesBetweenCards) {
  CUcontext other = nullptr;
  ASSERT_EQ(cuCtxCreate_v2(&other, 0, 1), CUDA_SUCCESS);
  CUdeviceptr far = 0;
  ASSERT_EQ(cuMemAlloc_v2(&far, 4096), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8_v2(far, 6, 4096), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyPeer(a_, context_, far, other, 4096), CUDA_SUCCESS);
  EXPECT_EQ(Read(a_, 4096), std::vector<unsigned char>(4096, 6));
  EXPECT_EQ(cuMemcpyPeer(a_, nullptr, far, other, 4096), CUDA_ERROR_INVALID_CONTEXT);
  ASSERT_EQ(cuCtxDestroy_v2(other), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoD_v2(a_, far, 16), CUDA_ERROR_INVALID_VALUE);  // went with its context
}

TEST_F(CopyTest, BetweenContextsIsInLineWithTheWorkOfBoth) {
  CUcontext other = nullptr;
  ASSERT_EQ(cuCtxCreate_v2(&other, 0, 1), CUDA_SUCCESS);
  CUdeviceptr far = 0;
  ASSERT_EQ(cuMemAlloc_v2(&far, 8192), CUDA_SUCCESS);
  CUstream far_stream = nullptr;
  ASSERT_EQ(cuStreamCreate(&far_stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
  {
    simgpu::testing::StreamGate gate(far_stream);
    ASSERT_EQ(cuMemsetD8Async(far, 6, 4096, far_stream), CUDA_SUCCESS);
    ASSERT_EQ(cuMemcpyPeer(a_, context_, far, other, 4096), CUDA_SUCCESS);
    gate.Open();
    EXPECT_EQ(Read(a_, 4096), std::vector<unsigned char>(4096, 6));
    ASSERT_EQ(cuStreamSynchronize(far_stream), CUDA_SUCCESS);
  }
  {
    simgpu::testing::StreamGate gate(stream_);
    ASSERT_EQ(cuMemsetD8Async(a_, 9, 4096, stream_), CUDA_SUCCESS);
    ASSERT_EQ(cuMemcpyPeer(far, other, a_, context_, 4096), CUDA_SUCCESS);
    ASSERT_EQ(cuMemcpyDtoDAsync_v2(far + 4096, far, 4096, far_stream), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(far_stream), CUDA_ERROR_NOT_READY);
    gate.Open();
    ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamSynchronize(far_stream), CUDA_SUCCESS);
  }
  EXPECT_EQ(Read(far + 4096, 4096), std::vector<unsigned char>(4096, 9));
}

TEST_F(CopyTest, CopiesBatchesAndNamesTheOneAtFault) {
  const auto sent = Pattern(64, 1);
  ASSERT_EQ(cuMemcpyHtoD_v2(a_, sent.data(), 64), CUDA_SUCCESS);
  CUdeviceptr to[] = {b_, b_ + 100, b_ + 200};
  CUdeviceptr from[] = {a_, a_ + 16, a_ + 32};
  size_t sizes[] = {16, 16, 16};
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  size_t start = 0;
  ASSERT_EQ(cuMemcpyBatchAsync_v2(to, from, sizes, 3, &attributes, &start, 1, stream_),
            CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(Read(b_ + 200, 16), Pattern(16, 33));
  from[1] = 0;
  size_t failed = 77;
  EXPECT_EQ(cuMemcpyBatchAsync(to, from, sizes, 3, &attributes, &start, 1, &failed, stream_),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(failed, 1u);
  EXPECT_EQ(cuMemcpyBatchAsync_v2(to, from, sizes, 1, &attributes, &start, 1, nullptr),
            CUDA_ERROR_INVALID_VALUE);  // the legacy stream takes none
}

}  // namespace
