// A first load of code that takes long: it holds all that is free, as nobody knows what it will
// take. Others wait for it as long as it lasts.
#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <future>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"

namespace warpshare::testing {
namespace {

using std::chrono::milliseconds;

// Longer than others had patience once: two seconds, and a second loader four.
constexpr milliseconds kLong(4500);

class SlowLoadTest : public MemoryTest {
 protected:
  SlowLoadTest() { EXPECT_EQ(mkfifo(image_.c_str(), 0600), 0); }

  // The driver reads an image from here for as long as the other end is open.
  const std::string image_ = tenant_.path() + "/image";
};

TEST_F(SlowLoadTest, KeepsNobodyFromWhatFits) {
  int go[2];
  ASSERT_EQ(pipe(go), 0);
  const pid_t loader = StartBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    char byte = 0;
    ASSERT_EQ(read(go[0], &byte, 1), 1);
    CUmodule module = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuModuleLoad)(&module, image_.c_str()), CUDA_SUCCESS);
  });
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    ASSERT_EQ(write(go[1], "g", 1), 1);
    const int image = open(image_.c_str(), O_WRONLY);  // returns when the driver reads
    ASSERT_GE(image, 0);
    EXPECT_EQ(tenant.Room(), 0u);
    const auto in_context = [&](auto call) {
      return std::async(std::launch::async, [&tenant, call] {
        EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
        return call();
      });
    };
    std::future<CUresult> allocated = in_context([&] {
      CUdeviceptr pointer = 0;
      return CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kMiB);
    });
    std::future<CUresult> loaded = in_context([&] {
      CUmodule module = nullptr;
      return CALL(tenant.cuda, cuModuleLoadData)(&module, "kernel");
    });
    EXPECT_EQ(allocated.wait_for(kLong), std::future_status::timeout);
    EXPECT_EQ(loaded.wait_for(milliseconds(0)), std::future_status::timeout);
    EXPECT_EQ(write(image, "kernel", 6), 6);
    close(image);
    EXPECT_EQ(allocated.get(), CUDA_SUCCESS);
    EXPECT_EQ(loaded.get(), CUDA_SUCCESS);
  });
  EXPECT_EQ(AwaitChild(loader), 0);
  EXPECT_EQ(tenant_.Refusals(), 0u);
}

}  // namespace
}  // namespace warpshare::testing
