// Contexts: each takes hundreds of MiB, and ends with all that was allocated in it.
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/context_limit.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using warpshare::interposer::Accounts;
using warpshare::interposer::Contexts;
using warpshare::interposer::MostTakenByLimit;

namespace {

Contexts& AllContexts() { return Accounts::OfProcess().contexts; }

// Limits that the driver keeps by taking card memory.
bool TakesMemory(CUlimit limit) {
  return limit == CU_LIMIT_STACK_SIZE || limit == CU_LIMIT_PRINTF_FIFO_SIZE ||
         limit == CU_LIMIT_MALLOC_HEAP_SIZE || limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH ||
         limit == CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT;
}

}  // namespace

WARPSHARE_HOOK CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return AllContexts().Create(context, device,
                              [=] { return REAL(cuCtxCreate)(context, flags, device); });
}
WARPSHARE_HOOK CUresult cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device) {
  return AllContexts().Create(context, device,
                              [=] { return REAL(cuCtxCreate_v2)(context, flags, device); });
}
WARPSHARE_HOOK CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* affinity, int count,
                                       unsigned int flags, CUdevice device) {
  return AllContexts().Create(context, device, [=] {
    return REAL(cuCtxCreate_v3)(context, affinity, count, flags, device);
  });
}
WARPSHARE_HOOK CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* params,
                                       unsigned int flags, CUdevice device) {
  return AllContexts().Create(context, device,
                              [=] { return REAL(cuCtxCreate_v4)(context, params, flags, device); });
}
WARPSHARE_HOOK CUresult cuGLCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return AllContexts().Create(context, device,
                              [=] { return REAL(cuGLCtxCreate)(context, flags, device); });
}
WARPSHARE_HOOK CUresult cuGLCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device) {
  return AllContexts().Create(context, device,
                              [=] { return REAL(cuGLCtxCreate_v2)(context, flags, device); });
}
// The last two are VDPAU's: a device of the X server and the function to ask it by.
WARPSHARE_HOOK CUresult cuVDPAUCtxCreate(CUcontext* context, unsigned int flags, CUdevice device,
                                         uint32_t vdp_device, void* get_proc_address) {
  return AllContexts().Create(context, device, [=] {
    return REAL(cuVDPAUCtxCreate)(context, flags, device, vdp_device, get_proc_address);
  });
}
WARPSHARE_HOOK CUresult cuVDPAUCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device,
                                            uint32_t vdp_device, void* get_proc_address) {
  return AllContexts().Create(context, device, [=] {
    return REAL(cuVDPAUCtxCreate_v2)(context, flags, device, vdp_device, get_proc_address);
  });
}

WARPSHARE_HOOK CUresult cuCtxAttach(CUcontext* context, unsigned int flags) {
  return AllContexts().Attach(context, [=] { return REAL(cuCtxAttach)(context, flags); });
}
WARPSHARE_HOOK CUresult cuCtxDetach(CUcontext context) {
  return AllContexts().Detach(context, [=] { return REAL(cuCtxDetach)(context); });
}
WARPSHARE_HOOK CUresult cuCtxDestroy(CUcontext context) {
  return AllContexts().Destroy(context, [=] { return REAL(cuCtxDestroy)(context); });
}
WARPSHARE_HOOK CUresult cuCtxDestroy_v2(CUcontext context) {
  return AllContexts().Destroy(context, [=] { return REAL(cuCtxDestroy_v2)(context); });
}

WARPSHARE_HOOK CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return AllContexts().RetainPrimary(
      context, device, [=] { return REAL(cuDevicePrimaryCtxRetain)(context, device); });
}
WARPSHARE_HOOK CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return AllContexts().ReleasePrimary(device,
                                      [=] { return REAL(cuDevicePrimaryCtxRelease)(device); });
}
WARPSHARE_HOOK CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return AllContexts().ReleasePrimary(device,
                                      [=] { return REAL(cuDevicePrimaryCtxRelease_v2)(device); });
}
WARPSHARE_HOOK CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return AllContexts().ReleasePrimary(device,
                                      [=] { return REAL(cuDevicePrimaryCtxReset)(device); });
}
WARPSHARE_HOOK CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return AllContexts().ReleasePrimary(device,
                                      [=] { return REAL(cuDevicePrimaryCtxReset_v2)(device); });
}

WARPSHARE_HOOK CUresult cuGreenCtxCreate(CUgreenCtx* context, CUdevResourceDesc resources,
                                         CUdevice device, unsigned int flags) {
  return AllContexts().CreateGreen(
      context, device, [=] { return REAL(cuGreenCtxCreate)(context, resources, device, flags); });
}
WARPSHARE_HOOK CUresult cuGreenCtxDestroy(CUgreenCtx context) {
  return AllContexts().DestroyGreen(context, [=] { return REAL(cuGreenCtxDestroy)(context); });
}

WARPSHARE_HOOK CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  size_t before = 0;
  if (!TakesMemory(limit) || REAL(cuCtxGetLimit)(&before, limit) != CUDA_SUCCESS) {
    return REAL(cuCtxSetLimit)(limit, value);
  }
  return AllContexts().Enlarge(
      MostTakenByLimit(limit, before, value), [=] { return REAL(cuCtxSetLimit)(limit, value); },
      [=] { return REAL(cuCtxSetLimit)(limit, before); });
}
