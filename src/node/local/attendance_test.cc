// In this process, with real files and futexes, so that ThreadSanitizer sees all threads.
#include "node/local/attendance.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <functional>
#include <optional>

#include "node/local/local_node.h"
#include "node/local/testing/fake_tenant.h"

namespace warpshare::node {
namespace {

constexpr platform::ComputeTerms kHard = {
    .mode = abi::ComputeMode::kHard, .share_permille = 300, .weight = 1};

class KeptLog final : public platform::Log {
 public:
  void Line(std::string_view text) override { lines.emplace_back(text); }
  std::vector<std::string> lines;
};

class AttendanceTest : public TenancyFixture {
 protected:
  FakeTenant Tenant(const char* name, const platform::ComputeTerms& terms = kHard) {
    return FakeTenant(std::move(Enter(Request(name)).value()), terms);
  }
  AttendancePorts Ports(platform::Clock& clock) {
    return {.clock = clock, .futex = futex_, .watch = *watch_, .log = log_, .card_names = root_};
  }

  const StateDir state_ = State();
  platform::SystemClock time_;
  platform::LinuxFutex futex_;
  Result<platform::LinuxChangeWatch> watch_ = platform::LinuxChangeWatch::Open();
  KeptLog log_;
};

TEST_F(AttendanceTest, WhoeverHasTermsSits) {
  Attendance attendance(state_, Ports(time_));
  attendance.Look();
  EXPECT_FALSE(attendance.IsAnybodySeated());
  FakeTenant tenant = Tenant("train", {});
  attendance.Look();
  EXPECT_FALSE(attendance.IsAnybodySeated());
  tenant.SetTerms(kHard);
  EXPECT_TRUE(attendance.IsAnybodyExpected());
  EXPECT_FALSE(attendance.IsAnybodySeated());
  attendance.Look();
  EXPECT_TRUE(attendance.IsAnybodySeated());
  tenant.AwaitServed();
  tenant.Leave(state_);
  attendance.Look();
  EXPECT_FALSE(attendance.IsAnybodySeated());
  EXPECT_EQ(tenant.turn().valid_until_ns, 0u);
  EXPECT_EQ(log_.lines, (std::vector<std::string>{"train shares GPU-00ab0000",
                                                  "train does not share GPU-00ab0000 any more"}));
}

TEST_F(AttendanceTest, AllGetUpAtItsEnd) {
  FakeTenant first = Tenant("first");
  FakeTenant second = Tenant("second");
  {
    Attendance attendance(state_, Ports(time_));
    attendance.Look();
    first.AwaitServed();
    first.WorkFor(1'000'000);
    second.AwaitServed();
  }
  EXPECT_EQ(first.turn().valid_until_ns, 0u);
  EXPECT_EQ(second.turn().valid_until_ns, 0u);
}

TEST_F(AttendanceTest, ATenantThatNobodyIsInAnyMoreGetsUp) {
  Attendance attendance(state_, Ports(time_));
  {
    const FakeTenant tenant = Tenant("killed");
    attendance.Look();
    EXPECT_TRUE(attendance.IsAnybodySeated());
  }
  EXPECT_TRUE(std::filesystem::exists(state_.tenants_path() + "/killed"));
  attendance.Look();
  EXPECT_FALSE(attendance.IsAnybodySeated());
}

TEST_F(AttendanceTest, AnotherArbiterOfACardIsToldOnce) {
  const std::string name = root_ + machine_[0].uuid.Text();
  auto others = platform::NameClaim::Take(name);
  ASSERT_TRUE(others && *others);
  const FakeTenant tenant = Tenant("train");
  Attendance attendance(state_, Ports(time_));
  attendance.Look();
  attendance.Look();
  ASSERT_EQ(log_.lines.size(), 2u);
  EXPECT_TRUE(log_.lines[1].starts_with("GPU-00ab0000 has another arbiter, of user "))
      << log_.lines[1];
  EXPECT_TRUE(attendance.IsAnybodySeated()) << "nobody is refused";
  others->reset();
  attendance.Look();
  ASSERT_EQ(log_.lines.size(), 3u);
  EXPECT_EQ(log_.lines[2], "GPU-00ab0000 has no other arbiter any more");
  EXPECT_TRUE(platform::FindNameHolder(name)) << "ours";
}

// Something happens when it is looked at for the second time.
class EventfulClock final : public platform::Clock {
 public:
  explicit EventfulClock(std::function<void()> event) : event_(std::move(event)) {}
  Time Now() const override {
    if (++looks_ == 2) event_();
    return {};
  }
  void Sleep(Duration) override {}

 private:
  std::function<void()> event_;
  mutable int looks_ = 0;
};

TEST_F(AttendanceTest, ATenantThatComesInTheLastMomentKeepsTheNode) {
  const auto signals = platform::SignalQueue::Open({SIGTERM});
  auto lock = NodeLock::Take(state_);
  std::optional<FakeTenant> tenant;
  // The first look begins the linger time, the second one finds that it is over.
  EventfulClock clock([&] {
    tenant.emplace(std::move(Enter(Request("late")).value()), kHard);
    raise(SIGTERM);
  });
  ServeLocally(state_, **lock, Ports(clock), *signals,
               {.linger = std::chrono::milliseconds(0), .tell_ready = [] {}});
  EXPECT_EQ(log_.lines, std::vector<std::string>{"told to end"});
  EXPECT_TRUE(IsNodeRunning(state_)) << "the lock was taken again";
}

}  // namespace
}  // namespace warpshare::node
