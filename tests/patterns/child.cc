#include "tests/patterns/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace warpshare::patterns {

namespace {

struct Task {
  const char* name;
  Outcome (*run)(Tenant& tenant, const char* argument);
};

constexpr Task kTasks[] = {
    {"read_memory", ReadMemory},
    {"read_memory_opened_twice", ReadMemoryOpenedTwice},
    {"read_memory_after_event", ReadMemoryAfterEvent},
    {"map_segment", MapSegment},
};

Outcome RunWithContext(Tenant& tenant, const Task& task, const char* argument) {
  const DriverApi& api = tenant.api;
  WANT_OK(api.cuInit(0));
  WANT_OK(api.cuDeviceGet(&tenant.device, 0));
  WANT_OK(api.cuDevicePrimaryCtxRetain(&tenant.context, tenant.device));
  WANT_OK(api.cuCtxSetCurrent(tenant.context));
  return task.run(tenant, argument);
}

}  // namespace

pid_t StartChild(const Tenant& tenant, const char* task, const std::string& argument) {
  const pid_t child = fork();
  if (child != 0) return child;
  execl("/proc/self/exe", tenant.program, "--child", task, argument.c_str(), nullptr);
  _exit(127);
}

bool IsWell(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

int RunChild(const char* task_name, const char* argument) {
  Tenant tenant;
  if (!LoadDriver(tenant.api)) return 1;
  for (const Task& task : kTasks) {
    if (std::strcmp(task.name, task_name) != 0) continue;
    const Outcome outcome = RunWithContext(tenant, task, argument);
    if (outcome.empty()) return 0;
    std::fprintf(stderr, "in the child: %s\n", outcome.c_str());
  }
  return 1;
}

std::string ToHex(const void* bytes, size_t count) {
  std::string text;
  char digits[3];
  for (size_t i = 0; i < count; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(bytes)[i]);
    text += digits;
  }
  return text;
}

bool FromHex(const char* text, void* bytes, size_t count) {
  if (std::strlen(text) != 2 * count) return false;
  for (size_t i = 0; i < count; ++i) {
    unsigned byte = 0;
    if (std::sscanf(text + 2 * i, "%2x", &byte) != 1) return false;
    static_cast<unsigned char*>(bytes)[i] = static_cast<unsigned char>(byte);
  }
  return true;
}

}  // namespace warpshare::patterns
