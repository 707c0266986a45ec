// Exported memory that several processes of a tenant have: charged once, to the byte, from the
// first of them to the last, whoever made it and however they end.
#include <unistd.h>

#include "memory/beside.h"
#include "memory/virtual_memory_test.h"
#include "simgpu/cuda/memory/api.h"

namespace warpshare::testing {
namespace {

// It has 8 pieces that it exports, and the importer maps them.
class SharedMemoryTest : public VirtualMemoryTest {
 protected:
  static constexpr uint64_t kBytes = 8 * kPiece;

  Beside Start(const Beside::Body& body) {
    return Beside([this](const auto& run) { return StartBareTenant(run); }, body);
  }
  static void ExportTo(Tenant& tenant, Handle handle, int socket) {
    const int fd = Export(tenant, handle);
    SendFd(socket, fd);
    close(fd);
  }
  struct Imported {
    Handle handle;
    CUdeviceptr address;
  };
  static Imported ImportAndMap(Tenant& tenant, int socket) {
    const int fd = ReceiveFd(socket);
    const Handle handle = Import(tenant, fd);
    close(fd);
    const CUdeviceptr address = Reserve(tenant, kBytes);
    Map(tenant, address, kBytes, handle);
    return {.handle = handle, .address = address};
  }
  static void LetGo(Tenant& tenant, const Imported& imported) {
    Unmap(tenant, imported.address, kBytes);
    Release(tenant, imported.handle);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(imported.address, kBytes), CUDA_SUCCESS);
  }
  // That what is left of the limit can be had, and no byte more.
  static void ExpectFullBy(Tenant& tenant, uint64_t bytes) {
    TakeBackFromTheDead(tenant);
    EXPECT_EQ(tenant.Charged(), bytes);
    const Ballast ballast(tenant, 0);
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 1), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(tenant.Charged(), kLimit);
  }
};

TEST_F(SharedMemoryTest, Scenario08_StaysChargedToTheTenantWhenItsMakerDies) {
  const Beside maker = Start([](Tenant& tenant, int socket) {
    ExportTo(tenant, Create(tenant, kBytes), socket);
    pause();
  });
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    const Imported imported = ImportAndMap(tenant, maker.socket());
    EXPECT_EQ(tenant.Charged(), kBytes + kMiB);
    maker.Kill();
    ExpectFullBy(tenant, kBytes + kMiB);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    LetGo(tenant, imported);
    EXPECT_EQ(tenant.Charged(), kMiB);
  });
}

TEST_F(SharedMemoryTest, Scenario08_StaysChargedWhenItsMakerLetsGoOfIt) {
  const Beside maker = Start([](Tenant& tenant, int socket) {
    const Handle handle = Create(tenant, kBytes);
    ExportTo(tenant, handle, socket);
    AwaitGo(socket);
    Release(tenant, handle);
    EXPECT_EQ(tenant.Charged(), kBytes + kMiB);
    EXPECT_EQ(write(socket, "x", 1), 1);
    AwaitGo(socket);
  });
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    const Imported imported = ImportAndMap(tenant, maker.socket());
    maker.Go();
    maker.AwaitWord();
    ExpectFullBy(tenant, kBytes + kMiB);
    LetGo(tenant, imported);
    EXPECT_EQ(tenant.Charged(), kMiB);
    EXPECT_EQ(tenant.OnCard(), kMiB);
  });
  maker.Go();
}

TEST_F(SharedMemoryTest, Scenario08_IsItsMakersAgainWhenTheImporterDies) {
  const Beside maker = Start([](Tenant& tenant, int socket) {
    const Handle handle = Create(tenant, kBytes);
    ExportTo(tenant, handle, socket);
    AwaitGo(socket);
    EXPECT_EQ(tenant.Charged(), kBytes);
    Release(tenant, handle);
    EXPECT_EQ(tenant.Charged(), 0u);
  });
  EXPECT_EQ(AwaitChild(StartBareTenant([&](Tenant& tenant) {
              tenant.MakeContext();
              (void)ImportAndMap(tenant, maker.socket());
              EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
              _exit(::testing::Test::HasFailure() ? 1 : 0);
            })),
            0);
  maker.Go();
}

// Only a descriptor was left of it: nobody had taken its bytes back.
TEST_F(SharedMemoryTest, Scenario08_IsChargedAllTheSameIfItIsImportedAfterItsMakersDeath) {
  const Beside maker = Start([](Tenant& tenant, int socket) {
    ExportTo(tenant, Create(tenant, kBytes), socket);
    pause();
  });
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    const int fd = ReceiveFd(maker.socket());
    maker.Kill();
    const Handle handle = Import(tenant, fd);
    ExpectFullBy(tenant, kBytes + kMiB);
    Release(tenant, handle);
    EXPECT_EQ(tenant.Charged(), kMiB);
    close(fd);
  });
}

// Each of them may be the last.
TEST_F(SharedMemoryTest, Scenario08_OfSeveralImportersIsChargedUntilTheLastIsGone) {
  const Beside maker = Start([](Tenant& tenant, int socket) {
    const Handle handle = Create(tenant, kBytes);
    for (int i = 0; i < 2; ++i) ExportTo(tenant, handle, socket);
    pause();
  });
  const Beside second = Start([&](Tenant& tenant, int socket) {
    tenant.MakeContext();
    (void)ImportAndMap(tenant, maker.socket());
    EXPECT_EQ(write(socket, "x", 1), 1);
    pause();
  });
  second.AwaitWord();
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    const Imported imported = ImportAndMap(tenant, maker.socket());
    EXPECT_EQ(tenant.Charged(), kBytes + 2 * kMiB);
    maker.Kill();
    LetGo(tenant, imported);
    ExpectFullBy(tenant, kBytes + 2 * kMiB);
    second.Kill();
    ExpectFullBy(tenant, kMiB);
  });
}

// The descriptor that an importer makes of it says whose it is, too.
TEST_F(SharedMemoryTest, Scenario08_IsTheSameMemoryWhenItIsHandedOn) {
  const Beside maker = Start([](Tenant& tenant, int socket) {
    ExportTo(tenant, Create(tenant, kBytes), socket);
    pause();
  });
  const Beside second = Start([&](Tenant& tenant, int socket) {
    tenant.MakeContext();
    const Imported imported = ImportAndMap(tenant, maker.socket());
    ExportTo(tenant, imported.handle, socket);
    AwaitGo(socket);
    ExportTo(tenant, imported.handle, socket);
    pause();
  });
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    const Imported first = ImportAndMap(tenant, second.socket());
    maker.Kill();
    second.Go();
    const Imported again = ImportAndMap(tenant, second.socket());
    ExpectFullBy(tenant, kBytes + 2 * kMiB);
    LetGo(tenant, first);
    second.Kill();
    ExpectFullBy(tenant, kBytes + kMiB);
    LetGo(tenant, again);
    EXPECT_EQ(tenant.Charged(), kMiB);
  });
}

}  // namespace
}  // namespace warpshare::testing
