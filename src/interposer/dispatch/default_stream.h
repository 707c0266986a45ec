// Stream 0, which means the legacy default stream in a function of the plain name and the calling
// thread's in its _ptsz or _ptds twin.
#pragma once

#include "abi/driver/cuda_handles.h"

namespace warpshare::interposer {

inline CUstream Legacy(CUstream stream) { return stream == nullptr ? CU_STREAM_LEGACY : stream; }
inline CUstream PerThread(CUstream stream) {
  return stream == nullptr ? CU_STREAM_PER_THREAD : stream;
}

// A stream of the current context, whichever that is.
inline bool IsDefault(CUstream stream) {
  return stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

}  // namespace warpshare::interposer
