// Checkpoints are not simulated; what can be asked is answered truthfully.
#include <unistd.h>

#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/result.h"

using simgpu::cuda::Ready;

CUresult cuCheckpointProcessGetState(int pid, CUprocessState* state) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(pid > 0 && state != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(pid == getpid(), CUDA_ERROR_NOT_SUPPORTED);
  *state = CU_PROCESS_STATE_RUNNING;
  return CUDA_SUCCESS;
}

CUresult cuCheckpointProcessGetRestoreThreadId(int, int*) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuCheckpointProcessLock(int, CUcheckpointLockArgs*) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuCheckpointProcessCheckpoint(int, CUcheckpointCheckpointArgs*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuCheckpointProcessRestore(int, CUcheckpointRestoreArgs*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuCheckpointProcessUnlock(int, CUcheckpointUnlockArgs*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
