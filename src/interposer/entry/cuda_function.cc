// What is asked or said of a function, which may be what brings its code onto the card.
#include "abi/driver/cuda_types.h"
#include "interposer/accounts/late_code.h"
#include "interposer/dispatch/driver.h"

using warpshare::interposer::Use;
using warpshare::interposer::UseFunction;

namespace {

template <typename Call>
CUresult Ask(CUfunction function, Call call) {
  return UseFunction(function, Use::kAsk, /*stream=*/nullptr, call);
}
template <typename Call>
CUresult Ask(CUkernel kernel, Call call) {
  return Ask(reinterpret_cast<CUfunction>(kernel), call);
}

}  // namespace

WARPSHARE_HOOK CUresult cuFuncLoad(CUfunction function) {
  return UseFunction(function, Use::kLoad, nullptr, [=] { return REAL(cuFuncLoad)(function); });
}
WARPSHARE_HOOK CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute,
                                           CUfunction function) {
  return Ask(function, [=] { return REAL(cuFuncGetAttribute)(value, attribute, function); });
}
WARPSHARE_HOOK CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                                           int value) {
  return Ask(function, [=] { return REAL(cuFuncSetAttribute)(function, attribute, value); });
}
WARPSHARE_HOOK CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute,
                                             CUkernel kernel, CUdevice device) {
  return Ask(kernel, [=] { return REAL(cuKernelGetAttribute)(value, attribute, kernel, device); });
}
WARPSHARE_HOOK CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value,
                                             CUkernel kernel, CUdevice device) {
  return Ask(kernel, [=] { return REAL(cuKernelSetAttribute)(attribute, value, kernel, device); });
}

WARPSHARE_HOOK CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function,
                                                                int blocks, int block_size) {
  return Ask(function, [=] {
    return REAL(cuOccupancyAvailableDynamicSMemPerBlock)(bytes, function, blocks, block_size);
  });
}
WARPSHARE_HOOK CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                    CUfunction function,
                                                                    int block_size,
                                                                    size_t shared_bytes) {
  return Ask(function, [=] {
    return REAL(cuOccupancyMaxActiveBlocksPerMultiprocessor)(blocks, function, block_size,
                                                             shared_bytes);
  });
}
WARPSHARE_HOOK CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, CUfunction function, int block_size, size_t shared_bytes, unsigned int flags) {
  return Ask(function, [=] {
    return REAL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(blocks, function, block_size,
                                                                      shared_bytes, flags);
  });
}
WARPSHARE_HOOK CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function,
                                                     const CUlaunchConfig* config) {
  return Ask(function,
             [=] { return REAL(cuOccupancyMaxActiveClusters)(clusters, function, config); });
}
WARPSHARE_HOOK CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block_size,
                                                         CUfunction function,
                                                         CUoccupancyB2DSize shared_bytes_of,
                                                         size_t shared_bytes, int most) {
  return Ask(function, [=] {
    return REAL(cuOccupancyMaxPotentialBlockSize)(least_grid, block_size, function, shared_bytes_of,
                                                  shared_bytes, most);
  });
}
WARPSHARE_HOOK CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int* least_grid, int* block_size, CUfunction function, CUoccupancyB2DSize shared_bytes_of,
    size_t shared_bytes, int most, unsigned int flags) {
  return Ask(function, [=] {
    return REAL(cuOccupancyMaxPotentialBlockSizeWithFlags)(
        least_grid, block_size, function, shared_bytes_of, shared_bytes, most, flags);
  });
}
WARPSHARE_HOOK CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function,
                                                           const CUlaunchConfig* config) {
  return Ask(function,
             [=] { return REAL(cuOccupancyMaxPotentialClusterSize)(size, function, config); });
}
