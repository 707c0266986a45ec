// Laps by themselves, on a driver of which only the events are there: each is over as soon as it is
// recorded, as on a stream that has nothing else to do. The card's time goes by as the test says.
#include "interposer/compute/laps.h"

#include <gtest/gtest.h>

#include <vector>

#include "interposer/compute/timing.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_library.h"
#include "interposer/guest/kernel.h"

namespace warpshare {
namespace {

uint64_t g_card_ns = 0;
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
  g_card_ns += g_recording_takes_ns;
  RecordedNs(event) = g_card_ns;
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
  abi::TurnV1 turn;
  abi::UsagePageV1 usage;
};

Meter& NewMeter() {
  static Meter meter;  // valid as zero bytes
  return meter;
}

// Of a card that one kernel at a time is submitted to.
class LapsTest : public testing::Test {
 protected:
  LapsTest() : state_(meter_.streams.Of(nullptr)), cost_(meter_.costs.Of(NewName())) {
    meter_.laps.Follow(meter_.turn, meter_.usage, 0);
  }

  ~LapsTest() override {
    meter_.laps.Forget(nullptr);
    g_recording_takes_ns = 0;
  }

  static void InterruptRecords(uint64_t ns) { g_recording_takes_ns = ns; }

  void HasCost(uint64_t ns, uint32_t samples) {
    for (uint32_t i = 0; i < samples; ++i) cost_.Learn(ns);
  }

  Laps::Point Here(uint64_t others_ns = 0) {
    return {.streams = meter_.streams,
            .state = state_,
            .stream = nullptr,
            .is_tight = false,
            .is_alone = true,
            .was_prompt = false,
            .ends_late = ends_late_,
            .is_sole = true,
            .is_priced = false,
            .is_sized = false,
            .family = nullptr,
            .threads = 0,
            .held_up_ns = 0,
            .left_ns = left_ns_,
            .at_ns = guest::Now(),
            .turn_word = meter_.turn.word,
            .first_at_ns = first_at_ns_,
            .others_ns = others_ns,
            .least_others_ns = others_ns,
            .ticket = meter_.queue.Ticket(),
            .company_ns = 0,
            .company_ahead_ns = company_ahead_ns_,
            .end_ns = CardQueue::EndNs(meter_.page)};
  }

  // `others_ns`: what other streams are reckoned to have still to do; `beside_ns`: what they are
  // given meanwhile.
  void TimeOne(uint64_t takes_ns, uint64_t others_ns = 0, uint64_t beside_ns = 0) {
    const guest::LockGuard guard(meter_.laps.lock());
    meter_.laps.Begin(Here(others_ns));
    const uint64_t begin_ns = guest::Now();
    if (beside_ns != 0) meter_.queue.Enter(meter_.page, begin_ns, beside_ns, &meter_);
    meter_.queue.Enter(meter_.page, begin_ns, cost_.ns(), &state_);
    state_.Add(begin_ns, cost_.ns(), &cost_);
    Laps::Point end = Here(others_ns);
    end.held_up_ns = ends_late_ ? kTimerLateNs : guest::Now() - begin_ns;
    g_card_ns += takes_ns;
    ASSERT_TRUE(meter_.laps.End(end));
    if (turn_ends_) meter_.turn.word.fetch_add(1);
    if (is_awaited_) meter_.laps.Awaited(guest::Now());
    meter_.laps.Poll(meter_.queue, meter_.page, guest::Now());
    EXPECT_EQ(meter_.laps.open(), 0u);
  }

  uint64_t ChargedForOne(uint64_t takes_ns) {
    const uint64_t before_ns = meter_.page.used_ns.load();
    TimeOne(takes_ns);
    return meter_.page.used_ns.load() - before_ns;
  }

  // Another process of the tenant has work before what is submitted next, though nobody knows of it
  // by then; not all of it is waited for.
  void HasCompany() {
    abi::CardUsageV1& all = meter_.usage.cards[0];
    meter_.queue.Join(all);
    all.queue_end_ns = all.unwaited_ns = guest::Now() + 100 * kLongNs;
  }

  static uint64_t NewName() {
    static uint64_t name = 0;
    return ++name << 52;  // each in a place of its own
  }

  Meter& meter_ = NewMeter();
  StreamState& state_;
  Cost& cost_;
  bool ends_late_ = false;         // the call returns when the work is over
  bool is_awaited_ = false;        // by a thread, until the work is over
  bool turn_ends_ = false;         // before the work is seen to be over
  uint64_t first_at_ns_ = 0;       // of a turn
  uint64_t company_ahead_ns_ = 0;  // what other processes are reckoned to have before it
  uint64_t left_ns_ = 0;           // what the tenant before may have left to the card
};

TEST_F(LapsTest, AnInterruptionWhileTheEndIsRecordedIsNotTheCardsTime) {
  HasCost(kKernelNs, kKnownSamples);
  const uint64_t before_ns = meter_.page.used_ns.load();
  InterruptRecords(kLongNs);
  TimeOne(kKernelNs);
  EXPECT_LT(meter_.page.used_ns.load() - before_ns, kLongNs / 2);
  EXPECT_LT(cost_.ns(), 2 * kKernelNs);
}

TEST_F(LapsTest, HardlyKnownWorkIsItsPartOfWhatItTookBesideOthers) {
  HasCost(2 * kLongNs, kKnownSamples - 1);
  TimeOne(kLongNs, kLongNs / 2);
  EXPECT_LT(cost_.ns(), 2 * kLongNs - kLongNs / 8);  // which it were by all of that time
}

TEST_F(LapsTest, KnownWorkIsNotJustItsPartOfWhatItTookBesideOthers) {
  HasCost(kLongNs, kKnownSamples);
  TimeOne(kLongNs, kLongNs / 2);
  EXPECT_GE(cost_.ns(), kLongNs);
}

// They may be done later, for all that anybody knows.
TEST_F(LapsTest, KnownWorkIsNotItsPartOfWhatItTookWhileOtherThreadsGaveWorkToTheirStreams) {
  HasCost(kLongNs, kKnownSamples);
  const uint64_t before_ns = meter_.page.used_ns.load();
  TimeOne(kLongNs, 0, /*beside_ns=*/10 * kLongNs);
  EXPECT_EQ(cost_.ns(), kLongNs);
  EXPECT_GE(meter_.page.used_ns.load() - before_ns, 11 * kLongNs);
}

TEST_F(LapsTest, KnownWorkTakesLongerIfItDidBesideOthersButNotForWhatATenantBeforeLeft) {
  HasCost(kLongNs, kKnownSamples);
  left_ns_ = 3 * kLongNs;
  TimeOne(4 * kLongNs, kLongNs);
  EXPECT_EQ(cost_.ns(), kLongNs);
  left_ns_ = 0;
  TimeOne(4 * kLongNs, kLongNs);
  EXPECT_GT(cost_.ns(), kLongNs);
}

// On a card that is also another tenant's by then.
TEST_F(LapsTest, KnownWorkThatIsLateAtTheEndOfATurnMayHaveWaitedForAnother) {
  HasCost(kLongNs, 300);
  turn_ends_ = true;
  EXPECT_LT(ChargedForOne(40 * kLongNs), 2 * kLongNs);
  EXPECT_FALSE(cost_.varies());
}

TEST_F(LapsTest, HardlyKnownWorkThatIsLateAtTheEndOfATurnLastsThatLong) {
  HasCost(kLongNs, 20);
  turn_ends_ = true;
  EXPECT_GT(ChargedForOne(40 * kLongNs), 39 * kLongNs);
}

TEST_F(LapsTest, WorkInTheMiddleOfATurnLastsAsLongAsItDoes) {
  HasCost(kLongNs, 300);
  EXPECT_GT(ChargedForOne(40 * kLongNs), 39 * kLongNs);
  EXPECT_TRUE(cost_.varies());
}

TEST_F(LapsTest, TheFirstOfATurnBeginsWhenTheCardWasSeenToBeFree) {
  HasCost(kLongNs, kKnownSamples);
  first_at_ns_ = guest::Now();
  meter_.turn.card_free_ns = first_at_ns_ + 39 * kLongNs;
  EXPECT_LT(ChargedForOne(40 * kLongNs), 2 * kLongNs);
  EXPECT_FALSE(cost_.varies());
  EXPECT_LT(cost_.ns(), kLongNs + kLongNs / 16);
}

TEST_F(LapsTest, NorIsHardlyKnownWorkThatTookLessThanOthersWould) {
  HasCost(kLongNs, kKnownSamples - 1);
  TimeOne(kLongNs, 10 * kLongNs);
  EXPECT_GE(cost_.ns(), kLongNs);
}

TEST_F(LapsTest, AThreadThatWakesUpLateFromACallIsNotTheCardsTime) {
  cost_.LearnDoubtful(kKernelNs);
  ends_late_ = true;
  EXPECT_EQ(ChargedForOne(10 * kKernelNs), kKernelNs);
  EXPECT_LT(cost_.ns(), kKernelNs + kKernelNs / 4);
  TimeOne(kKernelNs / 4);
  EXPECT_LT(cost_.ns(), kKernelNs) << "it did not even last as long as that";
}

TEST_F(LapsTest, ACallThatLastsMuchLongerAgainAndAgainIsThatLong) {
  HasCost(kKernelNs, kNewSamples);
  ends_late_ = true;
  TimeOne(kLongNs);
  EXPECT_LT(cost_.ns(), 2 * kKernelNs) << "once, the thread may have been stopped";
  for (int i = 0; i < 100; ++i) TimeOne(kLongNs);
  EXPECT_GT(cost_.ns(), kLongNs - 2 * kTimerLateNs);
}

TEST_F(LapsTest, WellKnownWorkIsNotRaisedMuchByOneLapThatOthersMayHaveHadAPartOf) {
  HasCost(kLongNs, kKnownSamples);
  HasCompany();
  TimeOne(4 * kLongNs);
  EXPECT_GT(cost_.ns(), kLongNs);
  EXPECT_LT(cost_.ns(), kLongNs + kLongNs / 16);
}

TEST_F(LapsTest, WellKnownWorkIsRaisedWhereEachLapInCompanySaysMore) {
  HasCost(kLongNs, kKnownSamples);
  for (int i = 0; i < 30; ++i) {
    HasCompany();
    TimeOne(4 * kLongNs);
  }
  EXPECT_GT(cost_.ns(), 2 * kLongNs);
}

TEST_F(LapsTest, WellKnownWorkStaysWhereSomeLapsInCompanySayNoMore) {
  HasCost(kLongNs, kKnownSamples);
  for (int i = 0; i < 100; ++i) {
    HasCompany();
    TimeOne(i % 10 == 9 ? kLongNs : 4 * kLongNs);
  }
  EXPECT_LT(cost_.ns(), kLongNs + kLongNs / 8);
}

TEST_F(LapsTest, NewWorkIsRaisedByALapThatOthersMayHaveHadAPartOf) {
  HasCost(kLongNs, 1);
  HasCompany();
  TimeOne(4 * kLongNs);
  EXPECT_GT(cost_.ns(), 2 * kLongNs);
}

// Of two processes, each of which waits for each of its kernels.
class LapsOfTenantTest : public LapsTest {
 protected:
  LapsOfTenantTest() {
    meter_.usage.slot_ceiling = 2;
    meter_.queue.Join(All());
    is_awaited_ = true;
  }
  ~LapsOfTenantTest() override { meter_.usage.slot_ceiling = 0; }

  abi::CardUsageV1& All() { return meter_.usage.cards[0]; }

  // Beside the other one's, which nobody may have seen to begin.
  void TimeBesideTheOther(uint64_t takes_ns, bool is_begun = true) {
    All().unwaited_ns = 0;
    All().queue_end_ns = guest::Now() + 100 * kLongNs;
    const uint64_t now_ns = guest::Now();
    if (is_begun) TenantCover::Begin(All().covered, now_ns, All().over_ns);
    TimeOne(takes_ns);
  }
};

TEST_F(LapsOfTenantTest, NewWorkIsLearnedThoughNobodySawTheTenantBegin) {
  All().covered = {};
  TimeBesideTheOther(kLongNs, /*is_begun=*/false);
  EXPECT_GT(cost_.samples(), 0u);
}

TEST_F(LapsOfTenantTest, AFirstPriceThatIsFarTooLowIsMended) {
  cost_.LearnDoubtful(kKernelNs);
  company_ahead_ns_ = kLongNs;
  for (int i = 0; i < 10; ++i) {
    TimeBesideTheOther(kLongNs);
    SpinFor(kLongNs);
  }
  EXPECT_GT(cost_.ns(), kLongNs / 2);
}

// It says not what of its work is over, so nobody knows what the time that passes is to be compared
// with.
TEST_F(LapsOfTenantTest, NothingIsToldBesideAProcessOfAnOlderVersion) {
  abi::SlotV1& other = meter_.usage.slots[1];
  other.owner.generation = 1;
  other.work[0].busy_until_ns = guest::Now() + 100 * kLongNs;
  cost_.LearnDoubtful(kKernelNs);
  company_ahead_ns_ = kLongNs;
  for (int i = 0; i < 10; ++i) {
    TimeBesideTheOther(kLongNs);
    SpinFor(kLongNs);
  }
  EXPECT_EQ(cost_.ns(), kKernelNs);
  other.owner.generation = 0;
  other.work[0].busy_until_ns = 0;
}

}  // namespace
}  // namespace warpshare::interposer
