// What the driver answers before cuInit, and in children of processes that called it.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/device/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/world_fixture.h"

namespace {

using simgpu::testing::RunInChild;
using simgpu::testing::UseWorld;

class InitTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { UseWorld({}); }
};

// Exit status of a fork of the calling process that runs `body`.
template <class Body>
int Fork(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST_F(InitTest, NothingWorksBeforeIt) {
  const int status = RunInChild([] {
    int count = 0;
    CUcontext context = nullptr;
    CUstream stream = nullptr;
    EXPECT_EQ(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuStreamCreate(&stream, 0), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_ERROR_NOT_INITIALIZED);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(InitTest, TheVersionIsKnownBeforeIt) {
  const int status = RunInChild([] {
    int version = 0;
    EXPECT_EQ(cuDriverGetVersion(&version), CUDA_SUCCESS);
    EXPECT_EQ(version, 13000);
    EXPECT_EQ(cuDriverGetVersion(nullptr), CUDA_ERROR_INVALID_VALUE);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(InitTest, TakesNoFlagsAndCanBeRepeated) {
  const int status = RunInChild([] {
    EXPECT_EQ(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(InitTest, FailsWhenNoCardIsVisible) {
  const int status = RunInChild([] {
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    int count = 0;
    EXPECT_EQ(cuInit(0), CUDA_ERROR_NO_DEVICE);
    EXPECT_EQ(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(InitTest, VisibleCardsAreNumberedInTheirOrder) {
  const auto address_of = [](const char* visible, CUdevice device, char* address) {
    setenv("CUDA_VISIBLE_DEVICES", visible, 1);
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuDeviceGetPCIBusId(address, 32, device), CUDA_SUCCESS);
  };
  int sockets[2];
  ASSERT_EQ(pipe(sockets), 0);
  for (const char* visible : {"0,1", "1,0"}) {
    EXPECT_EQ(RunInChild([&] {
                char address[32] = {};
                address_of(visible, visible[0] == '0' ? 1 : 0, address);
                EXPECT_EQ(write(sockets[1], address, sizeof(address)),
                          static_cast<ssize_t>(sizeof(address)));
              }),
              0);
  }
  char addresses[2][32];
  ASSERT_EQ(read(sockets[0], addresses, sizeof(addresses)),
            static_cast<ssize_t>(sizeof(addresses)));
  EXPECT_STREQ(addresses[0], addresses[1]);
}

TEST_F(InitTest, AForkedChildOfAUserCanDoNothing) {
  const int status = RunInChild([] {
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    CUcontext context = nullptr;
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
    const int answers = Fork([] {
      int count = 0;
      CUevent event = nullptr;
      int version = 0;
      const bool refused = cuInit(0) == CUDA_ERROR_NOT_INITIALIZED &&
                           cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED &&
                           cuEventCreate(&event, 0) == CUDA_ERROR_NOT_INITIALIZED &&
                           cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED &&
                           cuDriverGetVersion(&version) == CUDA_SUCCESS;
      return refused ? 0 : 1;
    });
    EXPECT_EQ(answers, 0);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(InitTest, AChildForkedBeforeItIsFree) {
  const int status = RunInChild([] {
    const int answers = Fork([] {
      CUcontext context = nullptr;
      const bool works =
          cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS;
      return works ? 0 : 1;
    });
    EXPECT_EQ(answers, 0);
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(InitTest, WhatNobodyImplementsSaysSo) {
  const int status = RunInChild([] {
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(cuCheckpointProcessLock(getpid(), nullptr), CUDA_ERROR_NOT_SUPPORTED);
    const CUuuid table{};
    const void* address = &table;
    EXPECT_EQ(cuGetExportTable(&address, &table), CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(address, nullptr);
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
