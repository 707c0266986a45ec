// Memory that other processes open by a handle (cuIpcGetMemHandle): charged once, to the byte,
// until its maker has freed it and all others have closed it, however they end.
#include <unistd.h>

#include <future>

#include "memory/beside.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/ipc/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/pool/api.h"

namespace warpshare::testing {
namespace {

class IpcMemoryTest : public MemoryTest {
 protected:
  static constexpr uint64_t kBytes = 24 * kMiB;

  Beside Start(const Beside::Body& body) {
    return Beside([this](const auto& run) { return StartBareTenant(run); }, body);
  }
  static CUdeviceptr Alloc(Tenant& tenant) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kBytes), CUDA_SUCCESS);
    return pointer;
  }
  static void Free(Tenant& tenant, CUdeviceptr pointer) {
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_SUCCESS);
  }
  static CUipcMemHandle HandleOf(Tenant& tenant, CUdeviceptr pointer) {
    CUipcMemHandle handle;
    EXPECT_EQ(CALL(tenant.cuda, cuIpcGetMemHandle)(&handle, pointer), CUDA_SUCCESS);
    return handle;
  }
  static void Send(int socket, const CUipcMemHandle& handle) {
    EXPECT_EQ(write(socket, &handle, sizeof(handle)), static_cast<ssize_t>(sizeof(handle)));
  }
  static CUdeviceptr Open(Tenant& tenant, const CUipcMemHandle& handle) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuIpcOpenMemHandle_v2)(&pointer, handle,
                                                       CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
              CUDA_SUCCESS);
    return pointer;
  }
  static CUipcMemHandle Receive(int socket) {
    CUipcMemHandle handle{};
    EXPECT_EQ(read(socket, &handle, sizeof(handle)), static_cast<ssize_t>(sizeof(handle)));
    return handle;
  }
  static void Close(Tenant& tenant, CUdeviceptr pointer) {
    EXPECT_EQ(CALL(tenant.cuda, cuIpcCloseMemHandle)(pointer), CUDA_SUCCESS);
  }
  static void FreesWhenTold(Tenant& tenant, int socket) {
    tenant.MakeContext();
    const CUdeviceptr pointer = Alloc(tenant);
    Send(socket, HandleOf(tenant, pointer));
    AwaitGo(socket);
    Free(tenant, pointer);
    EXPECT_EQ(write(socket, "x", 1), 1);
    pause();
  }
  // After what the dead had was taken back.
  static void ExpectCharged(Tenant& tenant, uint64_t bytes) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kLimit), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(tenant.Charged(), bytes);
    EXPECT_EQ(tenant.OnCard(), bytes);
  }
};

TEST_F(IpcMemoryTest, StaysChargedToTheTenantWhenItsMakerDies) {
  const Beside maker = Start([](Tenant& tenant, int socket) {
    tenant.MakeContext();
    Send(socket, HandleOf(tenant, Alloc(tenant)));
    pause();
  });
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    const CUdeviceptr pointer = Open(tenant, Receive(maker.socket()));
    ExpectCharged(tenant, kBytes + 2 * kMiB);
    maker.Kill();
    ExpectCharged(tenant, kBytes + kMiB);
    Close(tenant, pointer);
    ExpectCharged(tenant, kMiB);
  });
}

TEST_F(IpcMemoryTest, StaysChargedWhenItsMakerFreesIt) {
  const Beside maker = Start(FreesWhenTold);
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    const CUipcMemHandle handle = Receive(maker.socket());
    const CUdeviceptr pointer = Open(tenant, handle);
    EXPECT_EQ(Open(tenant, handle), pointer);
    maker.Go();
    maker.AwaitWord();
    ExpectCharged(tenant, kBytes + 2 * kMiB);
    Close(tenant, pointer);
    ExpectCharged(tenant, kBytes + 2 * kMiB);
    Close(tenant, pointer);
    ExpectCharged(tenant, 2 * kMiB);
    maker.Kill();
  });
}

TEST_F(IpcMemoryTest, GoesWithTheContextThatOpenedIt) {
  const Beside maker = Start(FreesWhenTold);
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    (void)Open(tenant, Receive(maker.socket()));
    maker.Go();
    maker.AwaitWord();
    EXPECT_EQ(tenant.Charged(), kBytes + 2 * kMiB);
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kMiB);
    maker.Kill();
  });
}

// Nor is it counted twice by a second close, which the driver refuses.
TEST_F(IpcMemoryTest, ThatIsNotOpenIsNotClosed) {
  const Beside maker = Start(FreesWhenTold);
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    const CUdeviceptr own = Alloc(tenant);
    const CUdeviceptr pointer = Open(tenant, Receive(maker.socket()));
    EXPECT_NE(CALL(tenant.cuda, cuIpcCloseMemHandle)(own), CUDA_SUCCESS);
    ExpectCharged(tenant, 2 * kBytes + 2 * kMiB);
    Close(tenant, pointer);
    EXPECT_NE(CALL(tenant.cuda, cuIpcCloseMemHandle)(pointer), CUDA_SUCCESS);
    ExpectCharged(tenant, 2 * kBytes + 2 * kMiB);
    maker.Kill();
    ExpectCharged(tenant, kBytes + kMiB);
  });
}

// Whom it never went to, it is as if it had none.
TEST_F(IpcMemoryTest, IsItsMakersUntilItIsFreed) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUdeviceptr pointer = Alloc(tenant);
    const CUipcMemHandle handle = HandleOf(tenant, pointer);
    const CUipcMemHandle again = HandleOf(tenant, pointer);
    EXPECT_EQ(memcmp(&handle, &again, sizeof(handle)), 0);
    EXPECT_EQ(tenant.Charged(), before + kBytes);
    Free(tenant, pointer);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

TEST_F(IpcMemoryTest, ThatIsFreedInOrderStaysChargedUntilThen) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUdeviceptr pointer = Alloc(tenant);
    (void)HandleOf(tenant, pointer);
    std::promise<void> gate;
    std::future<void> opened = gate.get_future();
    const auto await = [](void* opening) { static_cast<std::future<void>*>(opening)->wait(); };
    ASSERT_EQ(CALL(tenant.cuda, cuLaunchHostFunc)(nullptr, await, &opened), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemFreeAsync)(pointer, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kBytes);
    gate.set_value();
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSynchronize)(), CUDA_SUCCESS);
    CUdeviceptr all = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&all, kLimit - before), CUDA_SUCCESS);
    Free(tenant, all);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

TEST_F(IpcMemoryTest, GoesWithTheContextThatMadeIt) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUcontext context = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
    (void)HandleOf(tenant, Alloc(tenant));
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(context), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

}  // namespace
}  // namespace warpshare::testing
