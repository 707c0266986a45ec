// Copies of linear memory.
#include "interposer/dispatch/driver.h"
#include "interposer/entry/submit.h"

using namespace warpshare::interposer;

SUBMIT_AND_QUEUE(cuMemcpy, _ptds, AnyBytes(bytes), (CUdeviceptr to, CUdeviceptr from, size_t bytes),
                 to, from, bytes)

SUBMIT_AND_QUEUE(cuMemcpyHtoD_v2, _ptds, HostBytes(bytes),
                 (CUdeviceptr to, const void* from, size_t bytes), to, from, bytes)

SUBMIT_AND_FINISH(cuMemcpyDtoH_v2, _ptds, HostBytes(bytes),
                  (void* to, CUdeviceptr from, size_t bytes), to, from, bytes)

SUBMIT_AND_QUEUE(cuMemcpyDtoD_v2, _ptds, CardBytes(bytes),
                 (CUdeviceptr to, CUdeviceptr from, size_t bytes), to, from, bytes)

SUBMIT_AND_QUEUE(cuMemcpyPeer, _ptds, HostBytes(bytes),
                 (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                  size_t bytes),
                 to, to_context, from, from_context, bytes)

SUBMIT(cuMemcpyAsync, _ptsz, AnyBytes(bytes),
       (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream), to, from, bytes, stream)

SUBMIT(cuMemcpyHtoDAsync_v2, _ptsz, HostBytes(bytes),
       (CUdeviceptr to, const void* from, size_t bytes, CUstream stream), to, from, bytes, stream)

SUBMIT(cuMemcpyDtoHAsync_v2, _ptsz, HostBytes(bytes),
       (void* to, CUdeviceptr from, size_t bytes, CUstream stream), to, from, bytes, stream)

SUBMIT(cuMemcpyDtoDAsync_v2, _ptsz, CardBytes(bytes),
       (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream), to, from, bytes, stream)

SUBMIT(cuMemcpyPeerAsync, _ptsz, HostBytes(bytes),
       (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
        size_t bytes, CUstream stream),
       to, to_context, from, from_context, bytes, stream)

SUBMIT(cuMemcpyBatchAsync, _ptsz, AnyBytes(Sum(sizes, count)),
       (CUdeviceptr * to, CUdeviceptr* from, size_t* sizes, size_t count,
        CUmemcpyAttributes* attributes, size_t* attribute_starts, size_t attribute_count,
        size_t* failed, CUstream stream),
       to, from, sizes, count, attributes, attribute_starts, attribute_count, failed, stream)

SUBMIT(cuMemcpyBatchAsync_v2, _ptsz, AnyBytes(Sum(sizes, count)),
       (CUdeviceptr * to, CUdeviceptr* from, size_t* sizes, size_t count,
        CUmemcpyAttributes* attributes, size_t* attribute_starts, size_t attribute_count,
        CUstream stream),
       to, from, sizes, count, attributes, attribute_starts, attribute_count, stream)
