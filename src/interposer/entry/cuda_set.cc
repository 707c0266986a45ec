// Memory set to a value.
#include "interposer/dispatch/driver.h"
#include "interposer/entry/submit.h"

using namespace warpshare::interposer;

SUBMIT_AND_QUEUE(cuMemsetD8_v2, _ptds, CardBytes(count),
                 (CUdeviceptr to, unsigned char value, size_t count), to, value, count)

SUBMIT_AND_QUEUE(cuMemsetD2D8_v2, _ptds, CardBytes(width* height),
                 (CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height),
                 to, pitch, value, width, height)

SUBMIT(cuMemsetD8Async, _ptsz, CardBytes(count),
       (CUdeviceptr to, unsigned char value, size_t count, CUstream stream), to, value, count,
       stream)

SUBMIT(cuMemsetD2D8Async, _ptsz, CardBytes(width* height),
       (CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
        CUstream stream),
       to, pitch, value, width, height, stream)

SUBMIT_AND_QUEUE(cuMemsetD16_v2, _ptds, CardBytes(count * 2),
                 (CUdeviceptr to, unsigned short value, size_t count), to, value, count)

SUBMIT_AND_QUEUE(cuMemsetD2D16_v2, _ptds, CardBytes(width* height * 2),
                 (CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height),
                 to, pitch, value, width, height)

SUBMIT(cuMemsetD16Async, _ptsz, CardBytes(count * 2),
       (CUdeviceptr to, unsigned short value, size_t count, CUstream stream), to, value, count,
       stream)

SUBMIT(cuMemsetD2D16Async, _ptsz, CardBytes(width* height * 2),
       (CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
        CUstream stream),
       to, pitch, value, width, height, stream)

SUBMIT_AND_QUEUE(cuMemsetD32_v2, _ptds, CardBytes(count * 4),
                 (CUdeviceptr to, unsigned int value, size_t count), to, value, count)

SUBMIT_AND_QUEUE(cuMemsetD2D32_v2, _ptds, CardBytes(width* height * 4),
                 (CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height),
                 to, pitch, value, width, height)

SUBMIT(cuMemsetD32Async, _ptsz, CardBytes(count * 4),
       (CUdeviceptr to, unsigned int value, size_t count, CUstream stream), to, value, count,
       stream)

SUBMIT(cuMemsetD2D32Async, _ptsz, CardBytes(width* height * 4),
       (CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height,
        CUstream stream),
       to, pitch, value, width, height, stream)
