// A program that does as it is told: `tenant_program ROUTE STEP...` runs the steps one after the
// other and prints a line for each. It knows nothing of warpshare; what happens to it is what
// happens to any CUDA program.
//
//   find                  finds the driver by ROUTE (driver_calls.h)
//   init count uuid=N total=N
//   context=N             retains the primary context of device N and makes it current
//   retain=N create=N     the same call of any number N; 2 MiB of physical memory there
//   alloc=BYTES free=I    I counts the allocations of this process from 0
//   info                  free and total of the current context's device
//   launch=KERNEL         starts it and does not wait; its name says how long it takes
//   fork clone exec exec-alike  go on in another process (process_steps.h)
//   spawn=N               another process does the next N steps, and this one those behind them
//   setuid=UID chroot=DIR close-from=FD umask signals stack maps=TEXT
//   variable=NAME         prints it; constant=NAME=VALUE sets it to a text that cannot be written
//   to say=TEXT wait         prints; waits for a line on standard input
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include "tenant_program/driver_calls.h"
#include "tenant_program/process_steps.h"

namespace warpshare::testing {
namespace {

class Program {
 public:
  explicit Program(const char* route) : route_(route) {}

  // True if the step is one of the driver's.
  bool CallDriver(const char* step, const char* value);
  static bool ChangeProcess(const char* step, const char* value);

 private:
  void Context(int ordinal);
  void Retain(CUdevice device);
  void Create(CUdevice device);
  void Alloc(size_t bytes);
  void Info();
  void Launch(const char* kernel);
  void Uuid(int ordinal);

  const char* route_;
  DriverCalls driver_{};
  std::vector<CUdeviceptr> allocations_;
};

bool Is(const char* step, const char* name) { return strcmp(step, name) == 0; }

void Program::Context(int ordinal) {
  CUdevice device = -1;
  CUcontext context = nullptr;
  CUresult result = driver_.DeviceGet(&device, ordinal);
  if (result == CUDA_SUCCESS) result = driver_.PrimaryCtxRetain(&context, device);
  if (result == CUDA_SUCCESS) result = driver_.CtxSetCurrent(context);
  printf("context %d\n", result);
}

void Program::Retain(CUdevice device) {
  CUcontext context = nullptr;
  printf("retain %d\n", driver_.PrimaryCtxRetain(&context, device));
}

void Program::Create(CUdevice device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CUmemGenericAllocationHandle handle = 0;
  printf("create %d\n", driver_.MemCreate(&handle, size_t{2} << 20, &properties, 0));
}

void Program::Alloc(size_t bytes) {
  CUdeviceptr pointer = 0;
  printf("alloc %d\n", driver_.MemAlloc(&pointer, bytes));
  allocations_.push_back(pointer);
}

void Program::Info() {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  const CUresult result = driver_.MemGetInfo(&free_bytes, &total_bytes);
  printf("info %d free %zu total %zu\n", result, free_bytes, total_bytes);
}

void Program::Launch(const char* kernel) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUresult result = driver_.ModuleLoadData(&module, "any image");
  if (result == CUDA_SUCCESS) result = driver_.ModuleGetFunction(&function, module, kernel);
  if (result == CUDA_SUCCESS) {
    result = driver_.LaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  }
  printf("launch %d\n", result);
}

void Program::Uuid(int ordinal) {
  CUuuid uuid{};
  printf("uuid %d ", driver_.DeviceGetUuid(&uuid, ordinal));
  for (const char byte : uuid.bytes) printf("%02x", static_cast<unsigned char>(byte));
  printf("\n");
}

bool Program::CallDriver(const char* step, const char* value) {
  if (Is(step, "find")) {
    printf("find %s\n", FindDriverCalls(route_, driver_) ? "ok" : "failed");
  } else if (Is(step, "init")) {
    printf("init %d\n", driver_.Init(0));
  } else if (Is(step, "count")) {
    int count = -1;
    const CUresult result = driver_.DeviceGetCount(&count);
    printf("count %d %d\n", result, count);
  } else if (Is(step, "uuid")) {
    Uuid(atoi(value));
  } else if (Is(step, "total")) {
    size_t bytes = 0;
    const CUresult result = driver_.DeviceTotalMem(&bytes, atoi(value));
    printf("total %d %zu\n", result, bytes);
  } else if (Is(step, "context")) {
    Context(atoi(value));
  } else if (Is(step, "retain")) {
    Retain(atoi(value));
  } else if (Is(step, "create")) {
    Create(atoi(value));
  } else if (Is(step, "alloc")) {
    Alloc(strtoull(value, nullptr, 10));
  } else if (Is(step, "free")) {
    printf("free %d\n", driver_.MemFree(allocations_.at(static_cast<size_t>(atoi(value)))));
  } else if (Is(step, "info")) {
    Info();
  } else if (Is(step, "launch")) {
    Launch(value);
  } else {
    return false;
  }
  return true;
}

bool Program::ChangeProcess(const char* step, const char* value) {
  if (Is(step, "fork"))
    ContinueInFork();
  else if (Is(step, "clone"))
    ContinueInRawClone();
  else if (Is(step, "setuid"))
    BecomeUser(atoi(value));
  else if (Is(step, "chroot"))
    ChangeRoot(value);
  else if (Is(step, "close-from"))
    CloseDescriptorsFrom(atoi(value));
  else if (Is(step, "umask"))
    PrintUmask();
  else if (Is(step, "signals"))
    PrintSignalDispositions();
  else if (Is(step, "maps"))
    PrintMappings(value);
  else if (Is(step, "variable"))
    PrintVariable(value);
  else if (Is(step, "stack"))
    PrintStack();
  else if (Is(step, "constant"))
    PutConstantVariable(value);
  else if (Is(step, "say"))
    printf("%s\n", value);
  else if (Is(step, "wait"))
    getchar();
  else
    return false;
  return true;
}

// The next `count` words are the child's.
void Spawn(char** words, int at, int count) {
  std::vector<char*> child = {words[0], words[1]};
  child.insert(child.end(), words + at, words + at + count);
  child.push_back(nullptr);
  SpawnSelf(child.data());
}

}  // namespace
}  // namespace warpshare::testing

int main(int count, char** words) {
  if (count < 2) return 2;
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  warpshare::testing::Program program(words[1]);
  const int first = warpshare::testing::FirstStep();
  for (int i = first == 0 ? 2 : first; i < count; ++i) {
    char* value = strchr(words[i], '=');
    if (value != nullptr) *value++ = '\0';
    if (strcmp(words[i], "exec") == 0) {
      words[i] = words[1];
      words[i - 1] = words[0];
      warpshare::testing::ExecSelf(words + i - 1);
      return 3;
    }
    if (strcmp(words[i], "exec-alike") == 0) {
      warpshare::testing::ExecSelfAlike(words, i + 1);
      return 3;
    }
    if (strcmp(words[i], "spawn") == 0) {
      const int steps = atoi(value);
      value[-1] = '=';
      warpshare::testing::Spawn(words, i + 1, steps);
      i += steps;
      continue;
    }
    if (!program.CallDriver(words[i], value) && !program.ChangeProcess(words[i], value)) {
      printf("unknown step %s\n", words[i]);
      return 2;
    }
    if (value != nullptr) value[-1] = '=';
  }
  return 0;
}
