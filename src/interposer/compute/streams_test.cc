#include "interposer/compute/streams.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>

namespace warpshare::interposer {
namespace {

CUstream Stream(uint64_t handle) { return reinterpret_cast<CUstream>(handle); }

class StreamTableTest : public testing::Test {
 protected:
  std::unique_ptr<StreamTable> table_ = std::make_unique<StreamTable>();
  const int cost_ = 0;
  const int other_cost_ = 0;
};

TEST_F(StreamTableTest, RemembersAStream) {
  table_->Of(Stream(0x1000)).Add(100, 30, &cost_);
  EXPECT_EQ(table_->Of(Stream(0x1000)).end_ns, 130u);
}

TEST_F(StreamTableTest, KeepsStreamsThatTheDriverMadeOneAfterTheOtherApart) {
  std::set<const StreamState*> states;
  for (uint64_t i = 0; i < 32; ++i) states.insert(&table_->Of(Stream(0x55550000 + i * 16)));
  EXPECT_EQ(states.size(), 32u);
}

TEST_F(StreamTableTest, AStreamThatTakesAnothersPlaceBeginsAnew) {
  StreamState& before = table_->Of(Stream(0x10));
  before.Add(100, 30, &cost_);
  before.lap_event = 7;
  before.is_held = true;
  before.waits = 3;
  uint64_t handle = 0x20;
  while (&table_->Of(Stream(handle)) != &before) handle += 16;
  EXPECT_EQ(before.end_ns, 0u);
  EXPECT_EQ(before.lap_event, 0u);
  EXPECT_FALSE(before.is_held) << "or it would never be held back";
  EXPECT_EQ(before.waits, before.waits_over);
}

TEST_F(StreamTableTest, ThePerThreadStreamIsOneOfEachThread) {
  const uint64_t my_name = table_->Of(CU_STREAM_PER_THREAD).stream;
  uint64_t others_name = 0;
  std::thread([&] { others_name = table_->Of(CU_STREAM_PER_THREAD).stream; }).join();
  EXPECT_NE(my_name, others_name);
  EXPECT_NE(table_->Of(CU_STREAM_LEGACY).stream, my_name);
}

TEST_F(StreamTableTest, VisitsWhatHasALap) {
  table_->Of(Stream(0x1000)).lap_event = 7;
  table_->Of(Stream(0x2000)).lap_event = 9;
  std::multiset<int> events;
  table_->ForEach([&](const StreamState& state) {
    if (state.lap_event != 0) events.insert(state.lap_event);
  });
  EXPECT_EQ(events, (std::multiset<int>{7, 9}));
}

using StreamStateTest = StreamTableTest;

TEST_F(StreamStateTest, EndsAfterAllThatWasSubmitted) {
  StreamState& state = table_->Of(Stream(0x1000));
  state.Add(100, 30, &cost_);
  state.Add(110, 50, &cost_);
  EXPECT_EQ(state.end_ns, 180u);
  state.Add(500, 10, &cost_);
  EXPECT_EQ(state.end_ns, 510u) << "it had run dry";
}

TEST_F(StreamStateTest, CountsWhatIsInALap) {
  StreamState& state = table_->Of(Stream(0x1000));
  state.Add(100, 30, &cost_);
  state.Add(110, 50, &cost_);
  EXPECT_EQ(state.lap_ns, 80u);
  EXPECT_EQ(state.lap_count, 2u);
  EXPECT_EQ(state.lap_cost, reinterpret_cast<uint64_t>(&cost_));
}

TEST_F(StreamStateTest, KnowsThatALapIsOfSeveralCosts) {
  StreamState& state = table_->Of(Stream(0x1000));
  state.Add(100, 30, &cost_);
  state.Add(110, 50, &other_cost_);
  EXPECT_EQ(state.lap_cost, StreamState::kSeveral);
  state.Add(120, 50, &cost_);
  EXPECT_EQ(state.lap_cost, StreamState::kSeveral);
}

}  // namespace
}  // namespace warpshare::interposer
