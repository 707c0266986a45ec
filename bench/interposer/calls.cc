#include "bench/interposer/calls.h"

#include <array>
#include <thread>
#include <vector>

#include "bench/interposer/report.h"
#include "bench/interposer/samples.h"

namespace warpshare::bench {

namespace {

constexpr size_t kBytes = 4096;
constexpr size_t kGranule = 2 << 20;   // of cuMemCreate
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

// Of calls to a driver, without what it was at displacing.
class CallWatch {
 public:
  explicit CallWatch(const Driver& driver) : displacing_ns_(driver.displacing_ns) {
    if (displacing_ns_ != nullptr) displaced_before_ = *displacing_ns_;
  }
  double Nanoseconds() const {
    const double passed = watch_.Nanoseconds();
    return displacing_ns_ == nullptr ? passed : passed - (*displacing_ns_ - displaced_before_);
  }

 private:
  const double* displacing_ns_;
  double displaced_before_ = 0;
  Stopwatch watch_;
};

// A kind of memory: how one of it is made and freed.
template <typename Key>
struct Family {
  const char* make_name;
  const char* free_name;
  CUresult (*make)(const Driver& driver, Key& key);
  CUresult (*free)(const Driver& driver, Key key);
};

constexpr Family<CUdeviceptr> kLinear = {
    .make_name = "alloc",
    .free_name = "free",
    .make = [](const Driver& driver, CUdeviceptr& key) { return driver.MemAlloc(&key, kBytes); },
    .free = [](const Driver& driver, CUdeviceptr key) { return driver.MemFree(key); }};
constexpr Family<CUdeviceptr> kPitched = {
    .make_name = "alloc_pitch",
    .free_name = "free_pitch",
    .make =
        [](const Driver& driver, CUdeviceptr& key) {
          size_t pitch;
          return driver.MemAllocPitch(&key, &pitch, 100, 40, 4);
        },
    .free = [](const Driver& driver, CUdeviceptr key) { return driver.MemFree(key); }};
constexpr Family<CUdeviceptr> kPooled = {
    .make_name = "alloc_async",
    .free_name = "free_async",
    .make = [](const Driver& driver,
               CUdeviceptr& key) { return driver.MemAllocAsync(&key, kBytes, nullptr); },
    .free = [](const Driver& driver,
               CUdeviceptr key) { return driver.MemFreeAsync(key, nullptr); }};
// Of sizes that no block has which was freed lately: the pool cuts up what it has.
size_t NextSize() {
  static size_t blocks = 0;
  blocks = (blocks * 25 + 17) % 4096;
  return kBytes + 512 * blocks;
}
constexpr Family<CUdeviceptr> kCut = {
    .make_name = "alloc_async_cut",
    .free_name = "free_async_cut",
    .make = [](const Driver& driver,
               CUdeviceptr& key) { return driver.MemAllocAsync(&key, NextSize(), nullptr); },
    .free = kPooled.free};
constexpr Family<CUmemGenericAllocationHandle> kPhysical = {
    .make_name = "create",
    .free_name = "release",
    .make =
        [](const Driver& driver, CUmemGenericAllocationHandle& key) {
          CUmemAllocationProp properties{};
          properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
          properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
          return driver.MemCreate(&key, kGranule, &properties, 0);
        },
    .free = [](const Driver& driver,
               CUmemGenericAllocationHandle key) { return driver.MemRelease(key); }};
constexpr Family<CUarray> kArray = {
    .make_name = "array_create",
    .free_name = "array_destroy",
    .make =
        [](const Driver& driver, CUarray& key) {
          const CUDA_ARRAY_DESCRIPTOR descriptor = {
              .Width = 64, .Height = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
          return driver.ArrayCreate(&key, &descriptor);
        },
    .free = [](const Driver& driver, CUarray key) { return driver.ArrayDestroy(key); }};

// Half of a batch allocates, half frees, so the driver and the tables are the same before each.
template <typename Key>
std::array<double, 2> MakeAndFree(const Family<Key>& family, const Driver& driver) {
  constexpr int kCalls = 32;
  std::array<Key, kCalls> keys;
  unsigned results = CUDA_SUCCESS;
  const CallWatch making(driver);
  for (Key& key : keys) results |= family.make(driver, key);
  const double make_ns = making.Nanoseconds() / kCalls;
  Check(static_cast<CUresult>(results), family.make_name);
  const CallWatch freeing(driver);
  for (const Key key : keys) results |= family.free(driver, key);
  const double free_ns = freeing.Nanoseconds() / kCalls;
  Check(static_cast<CUresult>(results), family.free_name);
  return {make_ns, free_ns};
}

// Often enough to meet every lock that this thread has met.
template <typename Key>
void LetAnotherThreadCall(const Family<Key>& family, const Driver& driver) {
  constexpr int kBatches = 50;
  CUcontext context;
  Check(driver.PrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
  for (int i = 0; i < kBatches; ++i) MakeAndFree(family, driver);
  std::thread([&] {
    Check(driver.CtxSetCurrent(context), "cuCtxSetCurrent");
    for (int i = 0; i < kBatches; ++i) MakeAndFree(family, driver);
  }).join();
}

template <typename Key>
void MeasureFamily(const Setup& setup, const Family<Key>& family, long live) {
  if (!setup.Wants(family.make_name) && !setup.Wants(family.free_name)) return;
  if (setup.has_threads) LetAnotherThreadCall(family, setup.hooked);
  const auto timings = Alternate<2>(
      kPatienceNs, [&](bool is_hooked) { return MakeAndFree(family, setup.Way(is_hooked)); });
  Print(CaseOf(setup, family.make_name, live), timings[0]);
  Print(CaseOf(setup, family.free_name, live), timings[1]);
}

// The live ones are known to the interposer; to the driver they are the same for both.
void MeasureLinear(const Setup& setup, long live) {
  if (!setup.Wants(kLinear.make_name) && !setup.Wants(kLinear.free_name)) return;
  std::vector<CUdeviceptr> held(static_cast<size_t>(live));
  for (CUdeviceptr& pointer : held) Check(setup.hooked.MemAlloc(&pointer, kBytes), "cuMemAlloc");
  MeasureFamily(setup, kLinear, live);
  for (const CUdeviceptr pointer : held) Check(setup.hooked.MemFree(pointer), "cuMemFree");
}

// From a pool that keeps what it has, so that it neither grows nor shrinks.
void MeasurePooled(const Setup& setup) {
  CUmemoryPool pool;
  cuuint64_t keep = UINT64_MAX;
  Check(setup.hooked.GetDefaultMemPool(&pool, 0), "cuDeviceGetDefaultMemPool");
  Check(setup.hooked.MemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep),
        "cuMemPoolSetAttribute");
  MeasureFamily(setup, kPooled, 0);
  MeasureFamily(setup, kCut, 0);
  Check(setup.bare.CtxSynchronize(), "cuCtxSynchronize");
}

// `call(driver)` is timed `calls` times over; `after()` ends a batch untimed.
template <typename Call, typename After>
Timing TimeCalls(const Setup& setup, int calls, Call call, After after) {
  return Alternate<1>(kPatienceNs, [&](bool is_hooked) {
    const Driver& driver = setup.Way(is_hooked);
    const CallWatch watch(driver);
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
  const auto measure = [&](const char* name, int calls, auto call) {
    if (setup.Wants(name)) Print(CaseOf(setup, name, 0), TimeCalls(setup, calls, call, [] {}));
  };
  measure("get_info", 32,
          [&](const Driver& driver) { driver.MemGetInfo(&free_bytes, &total_bytes); });
  measure("get_device", 200, [&](const Driver& driver) { driver.CtxGetDevice(&device); });
}

}  // namespace

void MeasureLaunch(const Setup& setup) {
  if (!setup.Wants("launch")) return;
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
  MeasureLinear(setup, 0);
  if (!setup.has_threads)
    for (const long live : {1'000L, 10'000L, 100'000L}) MeasureLinear(setup, live);
  MeasureFamily(setup, kPitched, 0);
  MeasureFamily(setup, kPhysical, 0);
  MeasureFamily(setup, kArray, 0);
  MeasurePooled(setup);
  if (setup.has_threads) return;
  MeasureQueries(setup);
  MeasureLaunch(setup);
}

}  // namespace warpshare::bench
