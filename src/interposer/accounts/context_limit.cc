#include "interposer/accounts/context_limit.h"

#include "interposer/accounts/overhead.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// What drivers map memory in.
constexpr uint64_t kGrain = uint64_t{2} << 20;

// Of local memory for a thread, on all cards. A driver may cut down what is asked for.
constexpr uint64_t kMostStack = uint64_t{512} << 10;

// No card has as much; above it sums would not be right.
constexpr uint64_t kMostBytes = uint64_t{1} << 47;

uint64_t Lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }
uint64_t InGrains(uint64_t bytes) { return (bytes + kGrain - 1) / kGrain * kGrain; }

// That are on the card at once; 0 if the driver will not say.
uint64_t ResidentThreads() {
  CUdevice device = CU_DEVICE_INVALID;
  int processors = 0;
  int threads = 0;
  if (REAL(cuCtxGetDevice)(&device) != CUDA_SUCCESS ||
      REAL(cuDeviceGetAttribute)(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device) !=
          CUDA_SUCCESS ||
      REAL(cuDeviceGetAttribute)(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                                 device) != CUDA_SUCCESS) {
    return 0;
  }
  return static_cast<uint64_t>(processors) * static_cast<uint64_t>(threads);
}

}  // namespace

// Every thread that can be on the card has a stack of its own there; of the heap and of the buffer
// for printf a context has one.
uint64_t MostTakenByLimit(CUlimit limit, size_t before, size_t after) {
  if (after <= before) return OverheadCall::kNothing;
  if (limit == CU_LIMIT_PRINTF_FIFO_SIZE || limit == CU_LIMIT_MALLOC_HEAP_SIZE) {
    return InGrains(Lesser(after, kMostBytes));
  }
  const uint64_t threads = limit == CU_LIMIT_STACK_SIZE ? ResidentThreads() : 0;
  return threads == 0 ? OverheadCall::kUnknown : InGrains(threads * Lesser(after, kMostStack));
}

}  // namespace warpshare::interposer
