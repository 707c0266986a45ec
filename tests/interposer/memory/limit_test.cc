// The limit itself, whatever the family: several processes under it, and under it while it changes.
#include <unistd.h>

#include <vector>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/pointer/api.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kContext = kMiB;

class LimitTest : public MemoryTest {
 protected:
  // A process that allocates and frees as it is told, a letter and a number of bytes at a time.
  class Follower {
   public:
    explicit Follower(LimitTest& test) {
      EXPECT_EQ(pipe(orders_) | pipe(answers_), 0);
      pid_ = test.StartBareTenant([this](Tenant& tenant) {
        tenant.MakeContext();
        std::vector<CUdeviceptr> held;
        Order order;
        while (read(orders_[0], &order, sizeof(order)) == sizeof(order) && order.what != 'e') {
          const CUresult result = Obey(tenant, order, held);
          if (write(answers_[1], &result, sizeof(result)) != sizeof(result)) return;
        }
        for (const CUdeviceptr pointer : held) {
          EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_SUCCESS);
        }
        EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(0), CUDA_SUCCESS);
      });
    }
    CUresult Allocate(uint64_t bytes) { return Tell({'a', bytes}); }
    CUresult FreeLast() { return Tell({'f', 0}); }
    // 0 if all went well there.
    int End() {
      const Order order{'e', 0};
      EXPECT_EQ(write(orders_[1], &order, sizeof(order)), ssize_t{sizeof(order)});
      return AwaitChild(pid_);
    }

   private:
    struct Order {
      char what;
      uint64_t bytes;
    };
    CUresult Tell(const Order& order) {
      CUresult answer = CUDA_ERROR_UNKNOWN;
      EXPECT_EQ(write(orders_[1], &order, sizeof(order)), ssize_t{sizeof(order)});
      EXPECT_EQ(read(answers_[0], &answer, sizeof(answer)), ssize_t{sizeof(answer)});
      return answer;
    }
    static CUresult Obey(Tenant& tenant, const Order& order, std::vector<CUdeviceptr>& held) {
      CUdeviceptr pointer = 0;
      if (order.what == 'a') {
        const CUresult result = CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, order.bytes);
        if (result == CUDA_SUCCESS) held.push_back(pointer);
        return result;
      }
      pointer = held.back();
      held.pop_back();
      return CALL(tenant.cuda, cuMemFree_v2)(pointer);
    }

    int orders_[2];
    int answers_[2];
    pid_t pid_ = 0;
  };
};

TEST_F(LimitTest, Scenario01_WhenOneOfThreeProcessesEndsTheSumStaysExact) {
  Follower first(*this);
  ASSERT_EQ(first.Allocate(100 * kMiB), CUDA_SUCCESS);
  Follower second(*this);
  ASSERT_EQ(second.Allocate(200 * kMiB), CUDA_SUCCESS);
  Follower third(*this);
  ASSERT_EQ(third.Allocate(300 * kMiB), CUDA_SUCCESS);
  EXPECT_EQ(tenant_.UsedBytes(), 600 * kMiB + 3 * kContext);
  EXPECT_EQ(first.End(), 0);
  EXPECT_EQ(tenant_.UsedBytes(), 500 * kMiB + 2 * kContext);
  // Both that are left go on in their own slots.
  ASSERT_EQ(second.FreeLast(), CUDA_SUCCESS);
  EXPECT_EQ(tenant_.UsedBytes(), 300 * kMiB + 2 * kContext);
  ASSERT_EQ(third.FreeLast(), CUDA_SUCCESS);
  EXPECT_EQ(tenant_.UsedBytes(), 2 * kContext);
  EXPECT_EQ(second.Allocate(kLimit - 2 * kContext + 1), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(third.Allocate(kLimit - 2 * kContext), CUDA_SUCCESS);
  EXPECT_EQ(second.End(), 0);
  EXPECT_EQ(third.End(), 0);
  EXPECT_EQ(tenant_.UsedBytes(), 0u);
}

TEST_F(LimitTest, Scenario12_ALimitThatChangesHoldsFromTheNextCall) {
  Follower process(*this);
  for (uint64_t step = 1; step <= 200; ++step) {
    const uint64_t limit = kContext + step * 3 * kMiB + step;
    tenant_.SetLimit(0, limit);
    ASSERT_EQ(process.Allocate(limit - kContext + 1), CUDA_ERROR_OUT_OF_MEMORY);
    ASSERT_EQ(process.Allocate(limit - kContext), CUDA_SUCCESS);
    // Below what is held: nothing more is granted, and what is held stays.
    tenant_.SetLimit(0, kContext);
    ASSERT_EQ(process.Allocate(1), CUDA_ERROR_OUT_OF_MEMORY);
    ASSERT_EQ(tenant_.UsedBytes(), limit);
    ASSERT_EQ(process.FreeLast(), CUDA_SUCCESS);
    ASSERT_EQ(tenant_.UsedBytes(), kContext);
  }
  EXPECT_EQ(process.End(), 0);
}

TEST_F(LimitTest, Scenario10_MissingOutputsOfMemoryInfoAreTreatedAsTheDriverTreatsThem) {
  InTenant([](Tenant& tenant) {
    size_t bare = 0;
    size_t ours = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemGetInfo_v2)(nullptr, &ours),
              CALL(tenant.bare, cuMemGetInfo_v2)(nullptr, &bare));
    EXPECT_EQ(CALL(tenant.cuda, cuMemGetInfo_v2)(&ours, nullptr),
              CALL(tenant.bare, cuMemGetInfo_v2)(&bare, nullptr));
    EXPECT_EQ(CALL(tenant.cuda, cuMemGetInfo_v2)(nullptr, nullptr),
              CALL(tenant.bare, cuMemGetInfo_v2)(nullptr, nullptr));
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(nullptr, 4096),
              CALL(tenant.bare, cuMemAlloc_v2)(nullptr, 4096));
  });
}

}  // namespace
}  // namespace warpshare::testing
