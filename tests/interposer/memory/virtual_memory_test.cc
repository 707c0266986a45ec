// Physical memory of the virtual memory API: charged from its creation to the end of its last
// handle and mapping, on the card that the request names.
#include <sys/socket.h>

#include "memory/virtual_memory_test.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/vmm/api.h"

// The simulated driver has it as a stub.
extern "C" CUresult cuMulticastCreate(CUmemGenericAllocationHandle*, const CUmulticastObjectProp*);

namespace warpshare::testing {
namespace {

TEST_F(VirtualMemoryTest, PhysicalMemoryIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    Handle handle = 0;
    const CUmemAllocationProp properties = On(0);
    ExpectExactToTheByte(
        tenant,
        {[&] { return CALL(tenant.cuda, cuMemCreate)(&handle, 3 * kPiece, &properties, 0); },
         [&] { return CALL(tenant.cuda, cuMemRelease)(handle); }, 3 * kPiece});
  });
}

TEST_F(VirtualMemoryTest, AddressesCostNothing) {
  InTenant([](Tenant& tenant) {
    const Ballast ballast(tenant, 0);
    const CUdeviceptr address = Reserve(tenant, 64 * 1024 * kMiB);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, 64 * 1024 * kMiB), CUDA_SUCCESS);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_MemoryIsTheCardsThatTheRequestNames) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged(0);
    const Handle handle = Create(tenant, 64 * kMiB, 1);
    EXPECT_EQ(tenant.Charged(0), before);
    EXPECT_EQ(tenant.Charged(1), 64 * kMiB);
    const CUmemAllocationProp properties = On(1);
    Handle refused = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemCreate)(&refused, 200 * kMiB, &properties, 0),
              CUDA_ERROR_OUT_OF_MEMORY);
    Release(tenant, handle);
    EXPECT_EQ(tenant.Charged(1), 0u);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_AMappingKeepsReleasedMemoryCharged) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUdeviceptr address = Reserve(tenant, kPiece);
    const Handle handle = Create(tenant, kPiece);
    Map(tenant, address, kPiece, handle);
    Release(tenant, handle);
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    Unmap(tenant, address, kPiece);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, kPiece), CUDA_SUCCESS);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_AHandleKeepsUnmappedMemoryCharged) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUdeviceptr address = Reserve(tenant, 2 * kPiece);
    const Handle handle = Create(tenant, kPiece);
    Map(tenant, address, kPiece, handle);
    Map(tenant, address + kPiece, kPiece, handle);  // the same memory twice
    Unmap(tenant, address, 2 * kPiece);             // both at once
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    Release(tenant, handle);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, 2 * kPiece), CUDA_SUCCESS);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_UnmappingARangeEndsEveryMappingInIt) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    constexpr uint64_t kPieces = 8;
    const CUdeviceptr address = Reserve(tenant, kPieces * kPiece);
    for (uint64_t i = 0; i < kPieces; ++i) {
      const Handle handle = Create(tenant, kPiece);
      Map(tenant, address + i * kPiece, kPiece, handle);
      Release(tenant, handle);
    }
    EXPECT_EQ(tenant.Charged(), before + kPieces * kPiece);
    EXPECT_NE(CALL(tenant.cuda, cuMemUnmap)(address, kPiece / 2), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kPieces * kPiece);
    Unmap(tenant, address + kPiece, 3 * kPiece);
    EXPECT_EQ(tenant.Charged(), before + 5 * kPiece);
    Unmap(tenant, address, kPiece);
    Unmap(tenant, address + 4 * kPiece, 4 * kPiece);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, kPieces * kPiece), CUDA_SUCCESS);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_EveryRetainedHandleNeedsAReleaseMore) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUdeviceptr address = Reserve(tenant, 2 * kPiece);
    const Handle handle = Create(tenant, 2 * kPiece);
    Map(tenant, address, 2 * kPiece, handle);
    Handle retained = 0;
    void* inside = reinterpret_cast<void*>(address + kPiece + 100);
    ASSERT_EQ(CALL(tenant.cuda, cuMemRetainAllocationHandle)(&retained, inside), CUDA_SUCCESS);
    Release(tenant, handle);
    Unmap(tenant, address, 2 * kPiece);
    EXPECT_EQ(tenant.Charged(), before + 2 * kPiece);
    Release(tenant, retained);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_NE(CALL(tenant.cuda, cuMemRelease)(retained), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, 2 * kPiece), CUDA_SUCCESS);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_AHandleCanBeRetainedAfterItsRelease) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUdeviceptr address = Reserve(tenant, kPiece);
    const Handle handle = Create(tenant, kPiece);
    Map(tenant, address, kPiece, handle);
    Release(tenant, handle);
    Handle retained = 0;
    void* inside = reinterpret_cast<void*>(address + 100);
    ASSERT_EQ(CALL(tenant.cuda, cuMemRetainAllocationHandle)(&retained, inside), CUDA_SUCCESS);
    Unmap(tenant, address, kPiece);
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    Release(tenant, retained);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, kPiece), CUDA_SUCCESS);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_WhatTheProcessImportsFromItselfIsTheSameMemory) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const Handle handle = Create(tenant, kPiece);
    int fd = -1;
    Handle imported = 0;
    constexpr auto kFd = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    ASSERT_EQ(CALL(tenant.cuda, cuMemExportToShareableHandle)(&fd, handle, kFd, 0), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemImportFromShareableHandle)(
                  &imported, reinterpret_cast<void*>(intptr_t{fd}), kFd),
              CUDA_SUCCESS);
    close(fd);
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    Release(tenant, handle);
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    const CUdeviceptr address = Reserve(tenant, kPiece);
    Map(tenant, address, kPiece, imported);
    Release(tenant, imported);
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    Unmap(tenant, address, kPiece);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, kPiece), CUDA_SUCCESS);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_MemoryOfAnotherProcessIsThatProcesss) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  constexpr auto kFd = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  const pid_t owner = StartBareTenant([&](Tenant& tenant) {
    const Handle handle = Create(tenant, 32 * kPiece);
    int fd = -1;
    char end = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemExportToShareableHandle)(&fd, handle, kFd, 0), CUDA_SUCCESS);
    SendFd(sockets[0], fd);
    close(fd);
    ASSERT_EQ(read(sockets[0], &end, 1), 1);
    Release(tenant, handle);
  });
  InBareTenant([&](Tenant& tenant) {
    const int fd = ReceiveFd(sockets[1]);
    tenant.MakeContext();
    const uint64_t before = tenant.Charged();
    EXPECT_EQ(before, 32 * kPiece + kMiB);
    Handle imported = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemImportFromShareableHandle)(
                  &imported, reinterpret_cast<void*>(intptr_t{fd}), kFd),
              CUDA_SUCCESS);
    close(fd);
    const CUdeviceptr address = Reserve(tenant, 32 * kPiece);
    Map(tenant, address, 32 * kPiece, imported);
    EXPECT_EQ(tenant.Charged(), before);
    Unmap(tenant, address, 32 * kPiece);
    Release(tenant, imported);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, 32 * kPiece), CUDA_SUCCESS);
  });
  ASSERT_EQ(write(sockets[1], "x", 1), 1);
  EXPECT_EQ(AwaitChild(owner), 0);
}

// Only the descriptor keeps it alive in between.
TEST_F(VirtualMemoryTest, Scenario08_ReleasedMemoryThatComesBackIsChargedAgain) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const Handle handle = Create(tenant, kPiece);
    const int fd = Export(tenant, handle);
    Release(tenant, handle);
    for (int i = 0; i < 3; ++i) {
      const Handle first = Import(tenant, fd);
      EXPECT_EQ(tenant.Charged(), before + kPiece);
      const Handle second = Import(tenant, fd);
      EXPECT_EQ(tenant.Charged(), before + kPiece);
      EXPECT_EQ(tenant.OnCard(), tenant.Charged());
      Release(tenant, first);
      EXPECT_EQ(tenant.Charged(), before + kPiece);
      Release(tenant, second);
      EXPECT_EQ(tenant.Charged(), before);
    }
    close(fd);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_WhatComesBackIsRefusedWhereItDoesNotFit) {
  InTenant([](Tenant& tenant) {
    const Handle handle = Create(tenant, 2 * kPiece);
    const int fd = Export(tenant, handle);
    Release(tenant, handle);
    {
      const Ballast ballast(tenant, 2 * kPiece - 1);
      const uint64_t refusals = tenant.dir.Refusals();
      Handle imported = 0;
      EXPECT_EQ(TryImport(tenant, fd, imported), CUDA_ERROR_OUT_OF_MEMORY);
      EXPECT_EQ(tenant.Room(), 2 * kPiece - 1);
      EXPECT_GT(tenant.dir.Refusals(), refusals);
    }
    const Ballast ballast(tenant, 2 * kPiece);
    const Handle imported = Import(tenant, fd);
    EXPECT_EQ(tenant.Room(), 0u);
    Release(tenant, imported);
    close(fd);
  });
}

TEST_F(VirtualMemoryTest, Scenario08_ACopyOfADescriptorIsTheSameMemory) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const Handle handle = Create(tenant, kPiece);
    const int fd = Export(tenant, handle);
    const int copy = dup(fd);
    close(fd);
    const Handle while_alive = Import(tenant, copy);
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    Release(tenant, handle);
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    Release(tenant, while_alive);
    EXPECT_EQ(tenant.Charged(), before);
    const Handle again = Import(tenant, copy);
    EXPECT_EQ(tenant.Charged(), before + kPiece);
    Release(tenant, again);
    close(copy);
  });
}

// As a driver's descriptors are, all of one device file.
TEST_F(VirtualMemoryTest, Scenario08_ANumberThatComesBackIsOtherMemory) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const Handle first = Create(tenant, kPiece);
    const Handle second = Create(tenant, 2 * kPiece);
    const int fd = Export(tenant, first);
    const int other = Export(tenant, second);
    ASSERT_EQ(dup2(other, fd), fd);
    const Handle imported = Import(tenant, fd);
    Release(tenant, first);
    Release(tenant, second);
    EXPECT_EQ(tenant.Charged(), before + 2 * kPiece);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    Release(tenant, imported);
    EXPECT_EQ(tenant.Charged(), before);
    close(fd);
    close(other);
  });
}

// The driver tells no size of it, so it is charged as it is mapped; and once.
TEST_F(VirtualMemoryTest, Scenario08_MemoryWhoseOwnerDiedIsChargedToWhoMapsIt) {
  int from_owner[2];
  int to_third[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, from_owner), 0);
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, to_third), 0);
  EXPECT_EQ(AwaitChild(StartBareTenant([&](Tenant& tenant) {
              SendFd(from_owner[0], Export(tenant, Create(tenant, 4 * kPiece)));
            })),
            0);
  const pid_t third = StartBareTenant([&](Tenant& tenant) {
    close(to_third[0]);
    const int fd = ReceiveFd(to_third[1]);
    tenant.MakeContext();
    const uint64_t before = tenant.Charged();
    const Handle imported = Import(tenant, fd);
    const CUdeviceptr address = Reserve(tenant, 4 * kPiece);
    Map(tenant, address, 4 * kPiece, imported);
    EXPECT_EQ(tenant.Charged(), before);
    Unmap(tenant, address, 4 * kPiece);
    Release(tenant, imported);
    close(fd);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(0), CUDA_SUCCESS);
  });
  close(to_third[1]);
  InTenant([&](Tenant& tenant) {
    TakeBackFromTheDead(tenant);
    const int fd = ReceiveFd(from_owner[1]);
    const uint64_t before = tenant.Charged();
    const Handle imported = Import(tenant, fd);
    const CUdeviceptr address = Reserve(tenant, 8 * kPiece);
    Map(tenant, address, 4 * kPiece, imported);
    EXPECT_EQ(tenant.Charged(), before + 4 * kPiece);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    Map(tenant, address + 4 * kPiece, 4 * kPiece, imported);
    const Handle second = Import(tenant, fd);
    EXPECT_EQ(tenant.Charged(), before + 4 * kPiece);
    SendFd(to_third[0], fd);
    close(fd);
    char end = 0;
    EXPECT_EQ(read(to_third[0], &end, 1), 0);  // the third has ended
    Release(tenant, imported);
    Unmap(tenant, address, 8 * kPiece);
    EXPECT_EQ(tenant.Charged(), before + 4 * kPiece);
    Release(tenant, second);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, 8 * kPiece), CUDA_SUCCESS);
  });
  EXPECT_EQ(AwaitChild(third), 0);
}

TEST_F(VirtualMemoryTest, Scenario08_MemoryWhoseOwnerLetGoOfItIsChargedToWhoMapsIt) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const pid_t owner = StartBareTenant([&](Tenant& tenant) {
    const Handle handle = Create(tenant, 4 * kPiece);
    const int fd = Export(tenant, handle);
    Release(tenant, handle);
    SendFd(sockets[0], fd);
    char end = 0;
    ASSERT_EQ(read(sockets[0], &end, 1), 1);
  });
  InBareTenant([&](Tenant& tenant) {
    const int fd = ReceiveFd(sockets[1]);
    tenant.MakeContext();
    const uint64_t before = tenant.Charged();
    const Handle imported = Import(tenant, fd);
    const CUdeviceptr address = Reserve(tenant, 4 * kPiece);
    {
      const Ballast ballast(tenant, 4 * kPiece - 1);
      EXPECT_EQ(CALL(tenant.cuda, cuMemMap)(address, 4 * kPiece, 0, imported, 0),
                CUDA_ERROR_OUT_OF_MEMORY);
    }
    Map(tenant, address, 4 * kPiece, imported);
    EXPECT_EQ(tenant.Charged(), before + 4 * kPiece);
    Unmap(tenant, address, 4 * kPiece);
    Release(tenant, imported);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAddressFree)(address, 4 * kPiece), CUDA_SUCCESS);
    close(fd);
  });
  ASSERT_EQ(write(sockets[1], "x", 1), 1);
  EXPECT_EQ(AwaitChild(owner), 0);
}

TEST_F(VirtualMemoryTest, Scenario08_AMulticastObjectCostsNothing) {
  InTenant([](Tenant& tenant) {
    const Ballast ballast(tenant, 0);
    CUmulticastObjectProp properties{};
    properties.numDevices = 2;
    properties.size = kPiece;
    Handle handle = 0;
    const CUresult result = CALL(tenant.cuda, cuMulticastCreate)(&handle, &properties);
    EXPECT_TRUE(result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_SUPPORTED) << result;
  });
}

TEST_F(VirtualMemoryTest, BadArgumentsGetTheDriversErrorAndCostNothing) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUmemAllocationProp properties = On(0);
    Handle handle = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemCreate)(&handle, 12345, &properties, 0),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemCreate)(&handle, 0, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemCreate)(nullptr, kPiece, &properties, 0),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_NE(CALL(tenant.cuda, cuMemRelease)(0x1234), CUDA_SUCCESS);
    EXPECT_NE(CALL(tenant.cuda, cuMemUnmap)(0x7000'0000'0000, kPiece), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

}  // namespace
}  // namespace warpshare::testing
