#include "tests/patterns/child.h"
#include "tests/patterns/patterns.h"

namespace warpshare::patterns {

namespace {

constexpr unsigned char kMark = 0xa7;
constexpr size_t kBytes = 5 * kMiB;

struct Handles {
  CUipcMemHandle memory;
  CUipcEventHandle event;  // or zero
};

Outcome IsMarked(const DriverApi& api, CUdeviceptr memory) {
  unsigned char byte = 0;
  WANT_OK(api.cuMemcpyDtoH(&byte, memory + kBytes - 1, 1));
  WANT_TRUE(byte == kMark);
  return {};
}

// `task`: what a child does with the handle of marked memory.
Outcome ShareMarkedMemory(Tenant& tenant, const char* task) {
  const DriverApi& api = tenant.api;
  CUdeviceptr memory = 0;
  Handles handles{};
  WANT_OK(api.cuMemAlloc(&memory, kBytes));
  WANT_OK(api.cuMemsetD8(memory, kMark, kBytes));
  WANT_OK(api.cuCtxSynchronize());
  WANT_OK(api.cuIpcGetMemHandle(&handles.memory, memory));
  WANT_TRUE(IsWell(StartChild(tenant, task, ToHex(&handles, sizeof handles))));
  WANT_OK(api.cuMemFree(memory));
  return {};
}

}  // namespace

// A child process of the same tenant opens the memory by its handle. It is charged once.
Outcome MemoryOfAnotherProcess(Tenant& tenant) { return ShareMarkedMemory(tenant, "read_memory"); }

Outcome ReadMemory(Tenant& tenant, const char* argument) {
  const DriverApi& api = tenant.api;
  Handles handles{};
  WANT_TRUE(FromHex(argument, &handles, sizeof handles));
  const size_t before = FreeBytes(tenant);
  CUdeviceptr shared = 0;
  WANT_OK(api.cuIpcOpenMemHandle(&shared, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  if (Outcome outcome = IsMarked(api, shared); !outcome.empty()) return outcome;
  WANT_TRUE(FreeBytes(tenant) == before);  // it is the exporter's memory
  WANT_OK(api.cuIpcCloseMemHandle(shared));
  return {};
}

// Opened twice it is one mapping, which goes with the second close and is never charged here.
Outcome MemoryOpenedTwice(Tenant& tenant) {
  return ShareMarkedMemory(tenant, "read_memory_opened_twice");
}

Outcome ReadMemoryOpenedTwice(Tenant& tenant, const char* argument) {
  const DriverApi& api = tenant.api;
  Handles handles{};
  WANT_TRUE(FromHex(argument, &handles, sizeof handles));
  const size_t before = FreeBytes(tenant);
  CUdeviceptr first = 0, second = 0;
  WANT_OK(api.cuIpcOpenMemHandle(&first, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  WANT_OK(api.cuIpcOpenMemHandle(&second, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  WANT_TRUE(first == second);
  WANT_TRUE(FreeBytes(tenant) == before);
  WANT_OK(api.cuIpcCloseMemHandle(first));
  if (Outcome outcome = IsMarked(api, second); !outcome.empty()) return outcome;
  WANT_TRUE(FreeBytes(tenant) == before);
  WANT_OK(api.cuIpcCloseMemHandle(second));
  WANT(CUDA_ERROR_INVALID_VALUE, api.cuIpcCloseMemHandle(second));
  WANT_TRUE(FreeBytes(tenant) == before);
  return {};
}

// A child waits for an event of this process, and finds what was done before it.
Outcome EventOfAnotherProcess(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUdeviceptr memory = 0;
  CUevent event = nullptr;
  Handles handles{};
  WANT_OK(api.cuMemAlloc(&memory, kBytes));
  WANT_OK(api.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
  WANT_OK(api.cuMemsetD8Async(memory, kMark, kBytes, nullptr));
  WANT_OK(api.cuEventRecord(event, nullptr));
  WANT_OK(api.cuIpcGetMemHandle(&handles.memory, memory));
  WANT_OK(api.cuIpcGetEventHandle(&handles.event, event));
  WANT_TRUE(IsWell(StartChild(tenant, "read_memory_after_event", ToHex(&handles, sizeof handles))));
  WANT_OK(api.cuEventDestroy(event));
  WANT_OK(api.cuMemFree(memory));
  return {};
}

Outcome ReadMemoryAfterEvent(Tenant& tenant, const char* argument) {
  const DriverApi& api = tenant.api;
  Handles handles{};
  WANT_TRUE(FromHex(argument, &handles, sizeof handles));
  const size_t before = FreeBytes(tenant);
  CUevent event = nullptr;
  CUdeviceptr shared = 0;
  WANT_OK(api.cuIpcOpenEventHandle(&event, handles.event));
  WANT_OK(api.cuIpcOpenMemHandle(&shared, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  WANT_OK(api.cuEventSynchronize(event));
  if (Outcome outcome = IsMarked(api, shared); !outcome.empty()) return outcome;
  WANT_OK(api.cuEventRecord(event, nullptr));  // it is this process's as well
  WANT_OK(api.cuEventSynchronize(event));
  WANT_TRUE(FreeBytes(tenant) == before);
  WANT_OK(api.cuIpcCloseMemHandle(shared));
  WANT_OK(api.cuEventDestroy(event));
  return {};
}

}  // namespace warpshare::patterns
