#include "bench/interposer/calls.h"

#include <array>
#include <vector>

#include "bench/interposer/report.h"
#include "bench/interposer/samples.h"

namespace warpshare::bench {

namespace {

constexpr size_t kBytes = 4096;
constexpr double kPatienceNs = 0.5e9;  // a case

// Empty, for any card that a driver of CUDA 13 has.
constexpr char kKernel[] =
    ".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";

Case CaseOf(const Setup& setup, const char* name, long live) {
  return {.name = name,
          .driver = setup.driver_name,
          .tenant = setup.tenant,
          .live = live,
          .budget_ns = setup.budget_ns};
}

// Half of a batch allocates, half frees, so the driver and the tables are the same before each.
std::array<double, 2> AllocateAndFree(const Driver& driver) {
  constexpr int kCalls = 32;
  std::array<CUdeviceptr, kCalls> pointers;
  unsigned results = CUDA_SUCCESS;
  const Stopwatch allocating;
  for (CUdeviceptr& pointer : pointers) results |= driver.MemAlloc(&pointer, kBytes);
  const double alloc_ns = allocating.Nanoseconds() / kCalls;
  Check(static_cast<CUresult>(results), "cuMemAlloc");
  const Stopwatch freeing;
  for (const CUdeviceptr pointer : pointers) results |= driver.MemFree(pointer);
  const double free_ns = freeing.Nanoseconds() / kCalls;
  Check(static_cast<CUresult>(results), "cuMemFree");
  return {alloc_ns, free_ns};
}

// The live ones are known to the interposer; to the driver they are the same for both.
void MeasureAllocations(const Setup& setup, long live) {
  std::vector<CUdeviceptr> held(static_cast<size_t>(live));
  for (CUdeviceptr& pointer : held) Check(setup.hooked.MemAlloc(&pointer, kBytes), "cuMemAlloc");
  const auto timings = Alternate<2>(
      kPatienceNs, [&](bool is_hooked) { return AllocateAndFree(setup.Way(is_hooked)); });
  Print(CaseOf(setup, "alloc", live), timings[0]);
  Print(CaseOf(setup, "free", live), timings[1]);
  for (const CUdeviceptr pointer : held) Check(setup.hooked.MemFree(pointer), "cuMemFree");
}

// `call(driver)` is timed `calls` times over; `after()` ends a batch untimed.
template <typename Call, typename After>
Timing TimeCalls(const Setup& setup, int calls, Call call, After after) {
  return Alternate<1>(kPatienceNs, [&](bool is_hooked) {
    const Driver& driver = setup.Way(is_hooked);
    const Stopwatch watch;
    for (int i = 0; i < calls; ++i) call(driver);
    const double ns = watch.Nanoseconds() / calls;
    after();
    return std::array{ns};
  })[0];
}

void MeasureQueries(const Setup& setup) {
  size_t free_bytes;
  size_t total_bytes;
  CUdevice device;
  Print(CaseOf(setup, "get_info", 0),
        TimeCalls(
            setup, 32, [&](const Driver& driver) { driver.MemGetInfo(&free_bytes, &total_bytes); },
            [] {}));
  Print(CaseOf(setup, "get_device", 0),
        TimeCalls(setup, 200, [&](const Driver& driver) { driver.CtxGetDevice(&device); }, [] {}));
}

}  // namespace

void MeasureLaunch(const Setup& setup) {
  CUmodule module;
  CUfunction kernel;
  Check(setup.hooked.ModuleLoadData(&module, kKernel), "cuModuleLoadData");
  Check(setup.hooked.ModuleGetFunction(&kernel, module, "nothing"), "cuModuleGetFunction");
  // Short batches: what is measured is handing work over, not waiting for a full queue; and the
  // median is that of a launch, not of those few that are timed (bench/share has what these cost).
  Print(CaseOf(setup, "launch", 0),
        TimeCalls(
            setup, 4,
            [&](const Driver& driver) {
              driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
            },
            [&] { Check(setup.bare.CtxSynchronize(), "cuCtxSynchronize"); }));
}

void MeasureCalls(const Setup& setup) {
  for (const long live : {0L, 1'000L, 10'000L, 100'000L}) MeasureAllocations(setup, live);
  MeasureQueries(setup);
  MeasureLaunch(setup);
}

}  // namespace warpshare::bench
