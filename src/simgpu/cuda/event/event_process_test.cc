// Events between processes.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/two_processes.h"

namespace {

using simgpu::testing::Line;
using simgpu::testing::RunTwo;

class EventProcessTest : public simgpu::testing::WorldTest {};

void Begin() {
  CUcontext context = nullptr;
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxCreate_v2(&context, 0, 0), CUDA_SUCCESS);
}

CUevent NewSharedEvent(Line& line) {
  CUevent event = nullptr;
  EXPECT_EQ(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS), CUDA_SUCCESS);
  CUipcEventHandle handle;
  EXPECT_EQ(cuIpcGetEventHandle(&handle, event), CUDA_SUCCESS);
  line.Send(handle);
  return event;
}

CUevent OpenEvent(Line& line) {
  CUevent event = nullptr;
  EXPECT_EQ(cuIpcOpenEventHandle(&event, line.Receive<CUipcEventHandle>()), CUDA_SUCCESS);
  return event;
}

// A stream that does nothing until `flag` is set.
CUstream BlockedStream(std::atomic<bool>& flag) {
  CUstream stream = nullptr;
  EXPECT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchHostFunc(
                stream, [](void* go) { static_cast<std::atomic<bool>*>(go)->wait(false); }, &flag),
            CUDA_SUCCESS);
  return stream;
}

TEST_F(EventProcessTest, OneProcessWaitsForTheOthersRecord) {
  RunTwo(
      [](Line& line) {
        Begin();
        std::atomic<bool> go{false};
        const CUevent event = NewSharedEvent(line);
        const CUstream stream = BlockedStream(go);
        line.Meet();
        ASSERT_EQ(cuEventRecord(event, stream), CUDA_SUCCESS);
        line.Meet();
        line.Meet();  // the other has seen that it is not ready
        go = true;
        go.notify_all();
        line.Meet();
      },
      [](Line& line) {
        Begin();
        const CUevent event = OpenEvent(line);
        EXPECT_EQ(cuEventQuery(event), CUDA_SUCCESS);
        line.Meet();
        line.Meet();
        EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_NOT_READY);
        CUstream stream = nullptr;
        ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
        ASSERT_EQ(cuStreamWaitEvent(stream, event, 0), CUDA_SUCCESS);
        EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
        line.Meet();
        EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
        EXPECT_EQ(cuEventQuery(event), CUDA_SUCCESS);
        line.Meet();
      });
}

TEST_F(EventProcessTest, TheOpenerRecordsForTheMaker) {
  RunTwo(
      [](Line& line) {
        Begin();
        const CUevent event = NewSharedEvent(line);
        line.Meet();
        EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
        line.Meet();
      },
      [](Line& line) {
        Begin();
        const CUevent event = OpenEvent(line);
        ASSERT_EQ(cuEventRecord(event, nullptr), CUDA_SUCCESS);
        line.Meet();
        line.Meet();
      });
}

TEST_F(EventProcessTest, NobodyWaitsForTheDead) {
  RunTwo(
      [](Line& line) {
        Begin();
        const CUevent event = OpenEvent(line);
        const pid_t recorder = line.Receive<pid_t>();
        EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_NOT_READY);
        ASSERT_EQ(kill(recorder, SIGKILL), 0);
        EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
      },
      [](Line& line) {
        const pid_t recorder = fork();
        if (recorder == 0) {
          Begin();
          std::atomic<bool> never{false};
          const CUevent event = NewSharedEvent(line);
          cuEventRecord(event, BlockedStream(never));
          line.Send(getpid());
          pause();
        }
        int status = 0;
        EXPECT_EQ(waitpid(recorder, &status, 0), recorder);
        EXPECT_TRUE(WIFSIGNALED(status));
      });
}

TEST_F(EventProcessTest, MadeUpHandlesAreRefused) {
  const int status = simgpu::testing::RunInChild([] {
    Begin();
    CUevent event = nullptr;
    EXPECT_EQ(cuIpcOpenEventHandle(&event, CUipcEventHandle{}), CUDA_ERROR_INVALID_HANDLE);
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
