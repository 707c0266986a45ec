// Runs the call patterns of real CUDA programs against whatever libcuda.so.1 the loader finds, and
// prints one JSON line for each. Usage: tenant_patterns [--limited] [NAME...]
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "tests/patterns/child.h"
#include "tests/patterns/patterns.h"

namespace warpshare::patterns {

namespace {

struct Pattern {
  const char* name;
  Outcome (*run)(Tenant&);
};

constexpr Pattern kPatterns[] = {
    {"look_ups", LookUps},
    {"lazy_kernels", LazyKernels},
    {"data_round_trip", DataSurvivesARoundTrip},
    {"pitched_managed_and_arrays", PitchedManagedAndArrays},
    {"caching_allocator", CachingAllocator},
    {"every_byte_of_the_limit", EveryByteOfTheLimit},
    {"expandable_segments", ExpandableSegments},
    {"handles_shared_by_descriptor", HandlesSharedByDescriptor},
    {"default_pool_with_threshold", DefaultPoolWithThreshold},
    {"pool_of_its_own", PoolOfItsOwn},
    {"captured_graph", CapturedGraph},
    {"graph_with_memory", GraphWithMemory},
    {"memory_of_another_process", MemoryOfAnotherProcess},
    {"memory_opened_twice", MemoryOpenedTwice},
    {"event_of_another_process", EventOfAnotherProcess},
    {"segment_of_another_process", SegmentOfAnotherProcess},
};

bool Chosen(const Pattern& pattern, const std::vector<const char*>& names) {
  if (names.empty()) return true;
  for (const char* name : names) {
    if (std::strcmp(name, pattern.name) == 0) return true;
  }
  return false;
}

// A pattern that leaves memory behind has failed, whatever it says. What a child process held is
// found to be free a moment after its end, so the wait has a bound.
Outcome RunAndWeigh(const Pattern& pattern, Tenant& tenant) {
  const size_t before = FreeBytes(tenant);
  Outcome outcome = pattern.run(tenant);
  if (!outcome.empty() || !tenant.limited) return outcome;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (FreeBytes(tenant) != before) {
    if (std::chrono::steady_clock::now() < deadline) continue;
    return "free before " + std::to_string(before) + ", after " + std::to_string(FreeBytes(tenant));
  }
  return {};
}

bool Prepare(Tenant& tenant) {
  return LoadDriver(tenant.api) && tenant.api.cuInit(0) == CUDA_SUCCESS &&
         tenant.api.cuDeviceGet(&tenant.device, 0) == CUDA_SUCCESS &&
         tenant.api.cuDevicePrimaryCtxRetain(&tenant.context, tenant.device) == CUDA_SUCCESS &&
         tenant.api.cuCtxSetCurrent(tenant.context) == CUDA_SUCCESS;
}

}  // namespace

int Main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--child") == 0) return RunChild(argv[2], argv[3]);
  Tenant tenant;
  tenant.program = argv[0];
  std::vector<const char*> names;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--limited") == 0) {
      tenant.limited = true;
    } else {
      names.push_back(argv[i]);
    }
  }
  if (!Prepare(tenant)) {
    std::fprintf(stderr, "tenant_patterns: no usable device 0\n");
    return 1;
  }
  int ran = 0, failed = 0;
  for (const Pattern& pattern : kPatterns) {
    if (!Chosen(pattern, names)) continue;
    const Outcome outcome = RunAndWeigh(pattern, tenant);
    ++ran;
    failed += !outcome.empty();
    std::printf("{\"pattern\": \"%s\", \"ok\": %s, \"detail\": \"%s\"}\n", pattern.name,
                outcome.empty() ? "true" : "false", outcome.c_str());
    std::fflush(stdout);
  }
  if (ran == 0) std::fprintf(stderr, "tenant_patterns: no pattern of that name\n");
  return failed == 0 && ran > 0 ? 0 : 1;
}

}  // namespace warpshare::patterns

int main(int argc, char** argv) { return warpshare::patterns::Main(argc, argv); }
