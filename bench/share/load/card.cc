#include "bench/share/load/card.h"

#include <string.h>

#include <cstddef>

namespace warpshare::load {

namespace {

// A simulated card goes by the name's end; a real one reads its clock `loops` times.
std::string Image(const std::string& name) {
  return ".version 6.4\n.target sm_75\n.address_size 64\n"
         ".visible .entry " +
         name +
         "(.param .u64 loops)\n"
         "{\n"
         "  .reg .u64 %left, %clock;\n"
         "  .reg .pred %done;\n"
         "  ld.param.u64 %left, [loops];\n"
         "again:\n"
         "  setp.eq.u64 %done, %left, 0;\n"
         "  @%done bra end;\n"
         "  mov.u64 %clock, %clock64;\n"
         "  sub.u64 %left, %left, 1;\n"
         "  bra again;\n"
         "end:\n"
         "  ret;\n"
         "}\n";
}

}  // namespace

Card::Card(const Options& options) : driver_(OpenDriver()) {
  Check(driver_.Init(0), "cuInit");
  Check(driver_.PrimaryCtxRetain(&context_, options.device), "cuDevicePrimaryCtxRetain");
  EnterThread();
  const std::string name = "spin_" + options.kernel;
  CUmodule module = nullptr;
  Check(driver_.ModuleLoadData(&module, Image(name).c_str()), "cuModuleLoadData");
  Check(driver_.ModuleGetFunction(&kernel_, module, name.c_str()), "cuModuleGetFunction");
  loops_ =
      static_cast<uint64_t>(options.loops_per_us * static_cast<double>(options.kernel_ns) / 1e3);
  streams_.resize(options.streams);
  for (CUstream& stream : streams_)
    Check(driver_.StreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  if (options.memory_bytes > 0) NewMemory(options.memory_bytes);
}

void Card::EnterThread() const { Check(driver_.CtxSetCurrent(context_), "cuCtxSetCurrent"); }

void Card::Launch(CUstream stream) const { LaunchLoops(stream, loops_); }

void Card::LaunchLoops(CUstream stream, uint64_t loops) const {
  void* parameters[] = {&loops};
  Check(driver_.LaunchKernel(kernel_, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr),
        "cuLaunchKernel");
}

void Card::Synchronize(CUstream stream) const {
  Check(driver_.StreamSynchronize(stream), "cuStreamSynchronize");
}

CUevent Card::NewEvent() const {
  CUevent event = nullptr;
  Check(driver_.EventCreate(&event, CU_EVENT_DEFAULT), "cuEventCreate");
  return event;
}

void Card::Record(CUevent event, CUstream stream) const {
  Check(driver_.EventRecord(event, stream), "cuEventRecord");
}

void Card::Await(CUevent event) const {
  Check(driver_.EventSynchronize(event), "cuEventSynchronize");
}

Card::Pinned Card::NewPinned(size_t bytes) const {
  void* memory = nullptr;
  Check(driver_.MemHostAlloc(&memory, bytes, CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc");
  memset(memory, 0, bytes);
  Pinned pinned{.words = static_cast<uint32_t*>(memory), .address = 0};
  Check(driver_.MemHostGetDevicePointer(&pinned.address, memory, 0), "cuMemHostGetDevicePointer");
  return pinned;
}

Card::Pinned Card::Register(void* memory, size_t bytes) const {
  Check(driver_.MemHostRegister(memory, bytes, CU_MEMHOSTREGISTER_DEVICEMAP), "cuMemHostRegister");
  Pinned pinned{.words = static_cast<uint32_t*>(memory), .address = 0};
  Check(driver_.MemHostGetDevicePointer(&pinned.address, memory, 0), "cuMemHostGetDevicePointer");
  return pinned;
}

CUdeviceptr Card::NewMemory(size_t bytes) const {
  CUdeviceptr address = 0;
  Check(driver_.MemAlloc(&address, bytes), "cuMemAlloc");
  return address;
}

}  // namespace warpshare::load
