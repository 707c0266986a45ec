// Laps by themselves, on a driver of which only the events are there: each is over as soon as it is
// recorded, as on a stream that has nothing else to do.
#include "interposer/compute/laps.h"

#include <gtest/gtest.h>

#include <vector>

#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_library.h"
#include "interposer/guest/kernel.h"

namespace warpshare {
namespace {

uint64_t g_recording_takes_ns = 0;
std::vector<uint64_t> g_recorded_ns;  // of each event

uint64_t& RecordedNs(CUevent event) {
  return g_recorded_ns[reinterpret_cast<uintptr_t>(event) - 1];
}

void SpinFor(uint64_t ns) {
  for (const uint64_t end_ns = guest::Now() + ns; guest::Now() < end_ns;) {
  }
}

CUresult FakeEventCreate(CUevent* event, unsigned) {
  g_recorded_ns.push_back(0);
  *event = reinterpret_cast<CUevent>(g_recorded_ns.size());
  return CUDA_SUCCESS;
}
// As for a thread that is interrupted on the way to the card.
CUresult FakeEventRecord(CUevent event, CUstream) {
  SpinFor(g_recording_takes_ns);
  RecordedNs(event) = guest::Now();
  return CUDA_SUCCESS;
}
CUresult FakeElapsedTime(float* ms, CUevent begin, CUevent end) {
  *ms = static_cast<float>(static_cast<double>(RecordedNs(end) - RecordedNs(begin)) / 1e6);
  return CUDA_SUCCESS;
}
CUresult FakeCurrent(CUcontext* context) {
  *context = reinterpret_cast<CUcontext>(&g_recorded_ns);
  return CUDA_SUCCESS;
}
CUresult FakeEventQuery(CUevent) { return CUDA_SUCCESS; }
CUresult FakeExchangeMode(CUstreamCaptureMode*) { return CUDA_SUCCESS; }

}  // namespace
}  // namespace warpshare

extern "C" {
void* warpshare_cuda_slots[warpshare::abi::kCudaEntryCount] = {};
}

namespace warpshare::interposer {

void* ResolveCuda(abi::CudaIndex index) {
  switch (index) {
    case abi::CudaIndex::cuEventCreate:
      return reinterpret_cast<void*>(&FakeEventCreate);
    case abi::CudaIndex::cuEventRecord:
      return reinterpret_cast<void*>(&FakeEventRecord);
    case abi::CudaIndex::cuEventElapsedTime:
      return reinterpret_cast<void*>(&FakeElapsedTime);
    case abi::CudaIndex::cuCtxGetCurrent:
      return reinterpret_cast<void*>(&FakeCurrent);
    case abi::CudaIndex::cuEventQuery:
      return reinterpret_cast<void*>(&FakeEventQuery);
    case abi::CudaIndex::cuThreadExchangeStreamCaptureMode:
      return reinterpret_cast<void*>(&FakeExchangeMode);
    default:
      return nullptr;
  }
}
DriverLibrary FindDriver(const char*) { return {.handle = nullptr, .is_copy = false}; }

namespace {

constexpr uint64_t kKernelNs = 5'000;
constexpr uint64_t kLongNs = 500'000;

// What one card's meter has of laps.
struct Meter {
  Laps laps;
  StreamTable streams;
  CostTable costs;
  CardQueue queue;
  abi::CardWorkV1 page;
};

Meter& NewMeter() {
  static Meter meter;  // valid as zero bytes
  return meter;
}

TEST(Laps, AnInterruptionWhileTheEndIsRecordedIsNotTheCardsTime) {
  Meter& meter = NewMeter();
  StreamState& state = meter.streams.Of(nullptr);
  Cost& cost = meter.costs.Of(1);
  for (int i = 0; i < 20; ++i) cost.Learn(kKernelNs);
  const auto point = [&] {
    return Laps::Point{.streams = meter.streams,
                       .state = state,
                       .stream = nullptr,
                       .is_tight = false,
                       .is_alone = true,
                       .was_prompt = false,
                       .is_priced = false,
                       .held_up_ns = 0,
                       .others_ns = 0,
                       .was_idle = false,
                       .ticket = meter.queue.Ticket(),
                       .tenant_ns = 0,
                       .end_ns = CardQueue::EndNs(meter.page)};
  };
  const guest::LockGuard guard(meter.laps.lock());
  const uint64_t begin_ns = guest::Now();
  meter.laps.Begin(point());
  meter.queue.Enter(meter.page, begin_ns, kKernelNs, &state);
  state.Add(begin_ns, kKernelNs, &cost);
  Laps::Point end = point();
  end.held_up_ns = guest::Now() - begin_ns;
  g_recording_takes_ns = kLongNs;
  ASSERT_TRUE(meter.laps.End(end));
  meter.laps.Poll(meter.queue, meter.page, guest::Now());
  EXPECT_EQ(meter.laps.open(), 0u);
  EXPECT_LT(meter.page.used_ns.load(), kLongNs / 2);
  EXPECT_LT(cost.ns(), 2 * kKernelNs);
}

}  // namespace
}  // namespace warpshare::interposer
