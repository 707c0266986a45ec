#include <vector>

#include "tests/patterns/patterns.h"

namespace warpshare::patterns {

namespace {

// A kernel that returns at once on a real card; the name asks a simulated one for 200 us.
constexpr char kImage[] =
    ".version 6.4\n.target sm_75\n.address_size 64\n"
    ".visible .entry idle_200us()\n{\n  ret;\n}\n";

Outcome LoadKernel(const DriverApi& api, CUlibrary& library, CUfunction& function) {
  CUkernel kernel = nullptr;
  WANT_OK(api.cuLibraryLoadData(&library, kImage, nullptr, nullptr, 0, nullptr, nullptr, 0));
  WANT_OK(api.cuLibraryGetKernel(&kernel, library, "idle_200us"));
  WANT_OK(api.cuKernelGetFunction(&function, kernel));
  return {};
}

}  // namespace

Outcome LookUps(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUdriverProcAddressQueryResult status{};
  void* address = nullptr;
  // Names that no driver has: an error or a null pointer with a status, never a crash.
  for (const char* name : {"", "cuNoSuchFunction"}) {
    address = nullptr;
    const CUresult result = api.lookup(name, &address, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status);
    WANT_TRUE(result != CUDA_SUCCESS || address == nullptr);
  }
  void *before = nullptr, *after = nullptr;
  WANT_OK(api.lookup("cuCtxGetDevice", &before, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  WANT_OK(api.lookup("cuCtxGetDevice", &after, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  WANT_TRUE(before != after);  // one parameter, then two
  void *legacy = nullptr, *per_thread = nullptr;
  WANT_OK(api.lookup("cuLaunchKernel", &legacy, 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &status));
  WANT_OK(api.lookup("cuLaunchKernel", &per_thread, 12000,
                     CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  WANT_TRUE(legacy != per_thread);
  return {};
}

Outcome LazyKernels(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUlibrary library = nullptr;
  CUfunction function = nullptr;
  if (Outcome outcome = LoadKernel(api, library, function); !outcome.empty()) return outcome;
  CUevent start = nullptr, stop = nullptr;
  WANT_OK(api.cuEventCreate(&start, CU_EVENT_DEFAULT));
  WANT_OK(api.cuEventCreate(&stop, CU_EVENT_DEFAULT));
  WANT_OK(api.cuEventRecord(start, nullptr));
  for (int i = 0; i < 10; ++i) {
    WANT_OK(api.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  }
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32;
  config.blockDimY = config.blockDimZ = 1;
  WANT_OK(api.cuLaunchKernelEx(&config, function, nullptr, nullptr));
  WANT_OK(api.cuEventRecord(stop, nullptr));
  WANT_OK(api.cuEventSynchronize(stop));
  float elapsed_ms = -1;
  WANT_OK(api.cuEventElapsedTime(&elapsed_ms, start, stop));
  WANT_TRUE(elapsed_ms >= 0);
  WANT_OK(api.cuEventDestroy(start));
  WANT_OK(api.cuEventDestroy(stop));
  WANT_OK(api.cuLibraryUnload(library));
  return {};
}

Outcome CapturedGraph(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUstream stream = nullptr;
  CUdeviceptr buffer = 0;
  WANT_OK(api.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
  WANT_OK(api.cuMemAlloc(&buffer, 2 * kMiB));
  WANT_OK(api.cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CUstreamCaptureStatus capturing{};
  WANT_OK(api.cuStreamIsCapturing(stream, &capturing));
  WANT_TRUE(capturing == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  WANT_OK(api.cuMemsetD8Async(buffer, 0x3c, kMiB, stream));
  WANT_OK(api.cuMemcpyDtoDAsync(buffer + kMiB, buffer, kMiB, stream));
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  WANT_OK(api.cuStreamEndCapture(stream, &graph));
  WANT_OK(api.cuGraphInstantiateWithFlags(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) WANT_OK(api.cuGraphLaunch(executable, stream));
  WANT_OK(api.cuStreamSynchronize(stream));
  unsigned char byte = 0;
  WANT_OK(api.cuMemcpyDtoH(&byte, buffer + 2 * kMiB - 1, 1));
  WANT_TRUE(byte == 0x3c);
  WANT_OK(api.cuGraphExecDestroy(executable));
  WANT_OK(api.cuGraphDestroy(graph));
  WANT_OK(api.cuMemFree(buffer));
  WANT_OK(api.cuStreamDestroy(stream));
  return {};
}

// Allocations made while capturing become nodes; the memory is there while the graph may run.
Outcome GraphWithMemory(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUstream stream = nullptr;
  WANT_OK(api.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
  WANT_OK(api.cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUdeviceptr scratch = 0;
  WANT_OK(api.cuMemAllocAsync(&scratch, 32 * kMiB, stream));
  WANT_OK(api.cuMemsetD8Async(scratch, 1, 32 * kMiB, stream));
  WANT_OK(api.cuMemFreeAsync(scratch, stream));
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  WANT_OK(api.cuStreamEndCapture(stream, &graph));
  WANT_OK(api.cuGraphInstantiateWithFlags(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) WANT_OK(api.cuGraphLaunch(executable, stream));
  WANT_OK(api.cuStreamSynchronize(stream));
  WANT_OK(api.cuGraphExecDestroy(executable));
  WANT_OK(api.cuGraphDestroy(graph));
  WANT_OK(api.cuDeviceGraphMemTrim(tenant.device));
  WANT_OK(api.cuStreamDestroy(stream));
  return {};
}

}  // namespace warpshare::patterns
