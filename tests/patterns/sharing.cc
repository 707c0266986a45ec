#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "tests/patterns/patterns.h"

namespace warpshare::patterns {

namespace {

constexpr unsigned char kMark = 0xa7;

std::string ToHex(const CUipcMemHandle& handle) {
  std::string text;
  char digits[3];
  for (const char byte : handle.reserved) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

bool FromHex(const char* text, CUipcMemHandle& handle) {
  if (std::strlen(text) != 2 * sizeof handle.reserved) return false;
  for (size_t i = 0; i < sizeof handle.reserved; ++i) {
    unsigned byte = 0;
    if (std::sscanf(text + 2 * i, "%2x", &byte) != 1) return false;
    handle.reserved[i] = static_cast<char>(byte);
  }
  return true;
}

Outcome ReadInChild(Tenant& tenant, const CUipcMemHandle& handle) {
  const DriverApi& api = tenant.api;
  WANT_OK(api.cuInit(0));
  WANT_OK(api.cuDeviceGet(&tenant.device, 0));
  WANT_OK(api.cuDevicePrimaryCtxRetain(&tenant.context, tenant.device));
  WANT_OK(api.cuCtxSetCurrent(tenant.context));
  const size_t before = FreeBytes(tenant);
  CUdeviceptr shared = 0;
  WANT_OK(api.cuIpcOpenMemHandle(&shared, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  unsigned char byte = 0;
  WANT_OK(api.cuMemcpyDtoH(&byte, shared + 5 * kMiB - 1, 1));
  WANT_TRUE(byte == kMark);
  WANT_TRUE(FreeBytes(tenant) == before);  // it is the exporter's memory
  WANT_OK(api.cuIpcCloseMemHandle(shared));
  return {};
}

}  // namespace

// A child process of the same tenant opens the memory by its handle. It is charged once.
Outcome MemoryOfAnotherProcess(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUdeviceptr memory = 0;
  CUipcMemHandle handle{};
  WANT_OK(api.cuMemAlloc(&memory, 5 * kMiB));
  WANT_OK(api.cuMemsetD8(memory, kMark, 5 * kMiB));
  WANT_OK(api.cuCtxSynchronize());
  WANT_OK(api.cuIpcGetMemHandle(&handle, memory));
  const std::string hex = ToHex(handle);
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", tenant.program, "--ipc-child", hex.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  WANT_TRUE(child > 0 && waitpid(child, &status, 0) == child);
  WANT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  WANT_OK(api.cuMemFree(memory));
  return {};
}

int RunIpcChild(const char* handle_in_hex) {
  Tenant tenant;
  CUipcMemHandle handle{};
  if (!FromHex(handle_in_hex, handle) || !LoadDriver(tenant.api)) return 1;
  const Outcome outcome = ReadInChild(tenant, handle);
  if (outcome.empty()) return 0;
  std::fprintf(stderr, "in the child: %s\n", outcome.c_str());
  return 1;
}

}  // namespace warpshare::patterns
