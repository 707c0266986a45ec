#include "calls.h"

#include <stdio.h>

#include <vector>

namespace warpshare::bench {

namespace {

constexpr size_t kBytes = 4096;
constexpr int kRounds = 300;
constexpr int kCalls = 64;

// Empty, for any card.
constexpr char kKernel[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry nothing() { ret; }\n";

constexpr auto kNothingBetween = [] {};

void AllocateAndFree(const Driver& driver) {
  CUdeviceptr pointer;
  Check(driver.MemAlloc(&pointer, kBytes), "cuMemAlloc");
  Check(driver.MemFree(pointer), "cuMemFree");
}

// The live ones are known to the interposer; to the driver they are the same for both.
void MeasureAllocations(const Setup& setup, long live) {
  std::vector<CUdeviceptr> held(static_cast<size_t>(live));
  for (CUdeviceptr& pointer : held) Check(setup.hooked.MemAlloc(&pointer, kBytes), "cuMemAlloc");
  Timing pair = Alternate(
      kRounds, kCalls, [&] { AllocateAndFree(setup.bare); }, [&] { AllocateAndFree(setup.hooked); },
      kNothingBetween);
  Print("alloc_or_free", setup.tenant, live,
        {.bare_ns = pair.bare_ns / 2, .hooked_ns = pair.hooked_ns / 2});
  for (const CUdeviceptr pointer : held) Check(setup.hooked.MemFree(pointer), "cuMemFree");
}

void MeasureQueries(const Setup& setup) {
  size_t free_bytes;
  size_t total_bytes;
  CUdevice device;
  Print("get_info", setup.tenant, 0,
        Alternate(
            kRounds, kCalls, [&] { setup.bare.MemGetInfo(&free_bytes, &total_bytes); },
            [&] { setup.hooked.MemGetInfo(&free_bytes, &total_bytes); }, kNothingBetween));
  Print("ctx_get_device", setup.tenant, 0,
        Alternate(
            kRounds, 1000, [&] { setup.bare.CtxGetDevice(&device); },
            [&] { setup.hooked.CtxGetDevice(&device); }, kNothingBetween));
}

void MeasureLaunch(const Setup& setup) {
  CUmodule module;
  CUfunction kernel;
  Check(setup.hooked.ModuleLoadData(&module, kKernel), "cuModuleLoadData");
  Check(setup.hooked.ModuleGetFunction(&kernel, module, "nothing"), "cuModuleGetFunction");
  const auto launch = [&](const Driver& driver) {
    driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  };
  // Short batches: what is measured is handing work over, not waiting for a full queue.
  Print("launch", setup.tenant, 0,
        Alternate(
            kRounds, 16, [&] { launch(setup.bare); }, [&] { launch(setup.hooked); },
            [&] { Check(setup.bare.CtxSynchronize(), "cuCtxSynchronize"); }));
}

}  // namespace

void Print(const char* name, const char* tenant, long live, const Timing& timing) {
  printf(
      "{\"bench\": \"interposer\", \"case\": \"%s\", \"tenant\": \"%s\", \"live\": %ld, "
      "\"bare_ns\": %.1f, "
      "\"hooked_ns\": %.1f, \"added_ns\": %.1f, \"ratio\": %.3f}\n",
      name, tenant, live, timing.bare_ns, timing.hooked_ns, timing.hooked_ns - timing.bare_ns,
      timing.hooked_ns / timing.bare_ns);
  fflush(stdout);
}

void MeasureCalls(const Setup& setup) {
  for (const long live : {0L, 1'000L, 10'000L, 100'000L}) MeasureAllocations(setup, live);
  MeasureQueries(setup);
  MeasureLaunch(setup);
}

}  // namespace warpshare::bench
