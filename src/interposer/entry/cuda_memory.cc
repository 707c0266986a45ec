// Linear device memory, allocated and freed at once.
#include "interposer/accounts/linear.h"
#include "interposer/accounts/pitch.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using namespace warpshare::interposer;

WARPSHARE_HOOK CUresult cuMemAlloc(unsigned int* pointer, unsigned int bytes) {
  return AllocateLinear(pointer, bytes,
                        [=, real = REAL(cuMemAlloc)] { return real(pointer, bytes); });
}
WARPSHARE_HOOK CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  return AllocateLinear(pointer, bytes,
                        [=, real = REAL(cuMemAlloc_v2)] { return real(pointer, bytes); });
}

// Charged in full to the current device, wherever the pages are at the moment.
WARPSHARE_HOOK CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
  return AllocateLinear(
      pointer, bytes, [=, real = REAL(cuMemAllocManaged)] { return real(pointer, bytes, flags); });
}

WARPSHARE_HOOK CUresult cuMemAllocPitch(unsigned int* pointer, unsigned int* pitch,
                                        unsigned int width, unsigned int height,
                                        unsigned int element_bytes) {
  return AllocatePitched(PitchRequest{pointer, pitch, width, height, element_bytes},
                         REAL(cuMemAllocPitch));
}
WARPSHARE_HOOK CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width,
                                           size_t height, unsigned int element_bytes) {
  return AllocatePitched(PitchRequest{pointer, pitch, width, height, element_bytes},
                         REAL(cuMemAllocPitch_v2));
}

WARPSHARE_HOOK CUresult cuMemFree(unsigned int pointer) {
  return FreeLinear(pointer, REAL(cuMemFree));
}
WARPSHARE_HOOK CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return FreeLinear(pointer, REAL(cuMemFree_v2));
}
