// What a stream waits for besides the card: a host function, a word in memory, another stream,
// another interface. It takes no time of the card, and is never held back: somebody may be waiting
// for it.
#include "interposer/dispatch/driver.h"
#include "interposer/entry/submit.h"

using namespace warpshare::interposer;

INTERRUPT(cuLaunchHostFunc, _ptsz, (CUstream stream, CUhostFn function, void* argument), stream,
          function, argument)
INTERRUPT(cuStreamAddCallback, _ptsz,
          (CUstream stream, CUstreamCallback callback, void* argument, unsigned int flags), stream,
          callback, argument, flags)

INTERRUPT(cuStreamWaitEvent, _ptsz, (CUstream stream, CUevent event, unsigned int flags), stream,
          event, flags)

// All streams of a context.
WARPSHARE_HOOK CUresult cuCtxWaitEvent(CUcontext context, CUevent event) {
  InterruptAll();
  return REAL(cuCtxWaitEvent)(context, event);
}
WARPSHARE_HOOK CUresult cuGreenCtxWaitEvent(CUgreenCtx context, CUevent event) {
  InterruptAll();
  return REAL(cuGreenCtxWaitEvent)(context, event);
}

INTERRUPT(cuStreamWaitValue32, _ptsz,
          (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags), stream,
          address, value, flags)
INTERRUPT(cuStreamWaitValue32_v2, _ptsz,
          (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags), stream,
          address, value, flags)
INTERRUPT(cuStreamWaitValue64, _ptsz,
          (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags), stream,
          address, value, flags)
INTERRUPT(cuStreamWaitValue64_v2, _ptsz,
          (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags), stream,
          address, value, flags)
INTERRUPT(cuStreamBatchMemOp, _ptsz,
          (CUstream stream, unsigned int count, CUstreamBatchMemOpParams* operations,
           unsigned int flags),
          stream, count, operations, flags)
INTERRUPT(cuStreamBatchMemOp_v2, _ptsz,
          (CUstream stream, unsigned int count, CUstreamBatchMemOpParams* operations,
           unsigned int flags),
          stream, count, operations, flags)

INTERRUPT(cuWaitExternalSemaphoresAsync, _ptsz,
          (const CUexternalSemaphore* semaphores,
           const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters, unsigned int count,
           CUstream stream),
          semaphores, parameters, count, stream)
