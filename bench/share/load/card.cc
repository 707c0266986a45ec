#include "bench/share/load/card.h"

#include <string.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

namespace warpshare::load {

Card::Card(const Options& options) : driver_(OpenDriver()) {
  Check(driver_.Init(0), "cuInit");
  Check(driver_.PrimaryCtxRetain(&context_, options.device), "cuDevicePrimaryCtxRetain");
  EnterThread();
  LoadKernel(*options.work, options.kernel);
  FillCard(*options.work, options.device);
  const double loops_per_ns = options.loops_per_us > 0 ? options.loops_per_us / 1e3 : 1;
  loops_ = static_cast<uint64_t>(loops_per_ns * static_cast<double>(options.kernel_ns));
  if (options.longest_kernel_ns != 0)
    longest_factor_ =
        static_cast<double>(options.longest_kernel_ns) / static_cast<double>(options.kernel_ns);
  streams_.resize(options.streams);
  for (CUstream& stream : streams_)
    Check(driver_.StreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  if (options.memory_bytes > 0) NewMemory(options.memory_bytes);
}

// The name's end is how long it lasts on a simulated card, or that its loops are nanoseconds.
void Card::LoadKernel(const KernelKind& kind, const std::string& duration) {
  const std::string name = std::string(kind.name) + "_" + duration;
  kernel_ = NewKernel(Image(kind, name), name.c_str());
}

CUfunction Card::NewKernel(const std::string& image, const char* name) const {
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  Check(driver_.ModuleLoadData(&module, image.c_str()), "cuModuleLoadData");
  Check(driver_.ModuleGetFunction(&kernel, module, name), "cuModuleGetFunction");
  return kernel;
}

void Card::FillCard(const KernelKind& kind, CUdevice device) {
  int sm_count = 0;
  Check(driver_.DeviceGetAttribute(&sm_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
        "cuDeviceGetAttribute");
  blocks_ = std::max(1U, static_cast<uint32_t>(sm_count) * kind.blocks_a_sm);
  threads_ = kind.threads;
  if (kind.memory_bytes == 0) return;
  memory_ = NewMemory(kind.memory_bytes);
  memory_mask_ = kind.memory_bytes - 1;
}

void Card::EnterThread() const { Check(driver_.CtxSetCurrent(context_), "cuCtxSetCurrent"); }

double Card::Launch(CUstream stream) const {
  const double length = LengthOfNext();
  LaunchLoops(stream, static_cast<uint64_t>(static_cast<double>(loops_) * length));
  return longest_factor_ == 1 ? 1 : length * std::log(longest_factor_) / (longest_factor_ - 1);
}

// In shortest ones; the same in every run.
double Card::LengthOfNext() const {
  if (longest_factor_ == 1) return 1;
  thread_local std::mt19937_64 random;
  return std::pow(longest_factor_, std::uniform_real_distribution<>()(random));
}

void Card::LaunchLoops(CUstream stream, uint64_t loops) const {
  CUdeviceptr memory = memory_;
  uint64_t mask = memory_mask_;
  void* parameters[] = {&loops, &memory, &mask};
  Check(
      driver_.LaunchKernel(kernel_, blocks_, 1, 1, threads_, 1, 1, 0, stream, parameters, nullptr),
      "cuLaunchKernel");
}

void Card::LaunchOnWord(CUfunction kernel, CUstream stream, CUdeviceptr word,
                        uint32_t value) const {
  void* parameters[] = {&word, &value};
  Check(driver_.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr),
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
