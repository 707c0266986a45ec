// A driver of CUDA 11.4 that has next to nothing: what an old driver lacks must stay lacking, and
// what it has must get its arguments as the program passed them, through the first call (which
// looks the function up) and the later ones.
#include <string.h>

#include "abi/driver/cuda_launch.h"

extern "C" {

CUresult cuInit(unsigned int) { return CUDA_SUCCESS; }

CUresult cuDriverGetVersion(int* version) {
  *version = 11040;
  return CUDA_SUCCESS;
}

// Each argument at its place: the sum is weighted.
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CUstream stream, void** params,
                        void** extra) {
  const auto number = [](void* pointer) { return reinterpret_cast<unsigned long>(pointer); };
  const unsigned long sum = number(f) + 2 * gx + 3 * gy + 4 * gz + 5 * bx + 6 * by + 7 * bz +
                            8 * shared + 9 * number(stream) + 10 * number(params) +
                            11 * number(extra);
  return static_cast<CUresult>(sum);
}

CUresult cuParamSetf(CUfunction f, int offset, float value) {
  return static_cast<CUresult>(reinterpret_cast<unsigned long>(f) +
                               2 * static_cast<unsigned>(offset) +
                               static_cast<unsigned>(value * 4));
}

// A function of a later CUDA than this project knows.
CUresult cuOfTheFuture() { return static_cast<CUresult>(4711); }

CUresult cuGetProcAddress(const char* name, void** function, int, cuuint64_t) {
  *function = nullptr;
  if (strcmp(name, "cuOfTheFuture") == 0) *function = reinterpret_cast<void*>(&cuOfTheFuture);
  if (strcmp(name, "cuInit") == 0) *function = reinterpret_cast<void*>(&cuInit);
  if (strcmp(name, "cuGetProcAddress") == 0) *function = reinterpret_cast<void*>(&cuGetProcAddress);
  return *function != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

}  // extern "C"
