#include "platform/event_loop/event_loop.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <thread>
#include <vector>

namespace warpshare::platform {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(EventLoop, DoesWhatOtherThreadsPostInTheirOrder) {
  EventLoop loop;
  std::vector<int> seen;
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) loop.Post([&seen, i] { seen.push_back(i); });
    loop.Post([&loop] { loop.Stop(); });
  });
  loop.Run();
  other.join();
  ASSERT_EQ(seen.size(), 100u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST(EventLoop, DoesWhatItPostsToItselfBeforeWhatAnotherThreadPostsAfterwards) {
  EventLoop loop;
  std::vector<int> seen;
  loop.Post([&] {
    loop.Post([&] { seen.push_back(1); });
    std::thread([&] { loop.Post([&] { seen.push_back(2); }); }).join();
  });
  ASSERT_TRUE(loop.RunUntil([&] { return seen.size() == 2; }, seconds(10)));
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
}

TEST(EventLoop, KnowsItsOwnThread) {
  EventLoop loop;
  EXPECT_FALSE(loop.InLoop());
  std::optional<bool> inside;
  loop.Post([&] { inside = loop.InLoop(); });
  ASSERT_TRUE(loop.RunUntil([&] { return inside.has_value(); }, seconds(10)));
  EXPECT_TRUE(*inside);
}

TEST(EventLoop, SaysWhenWhatItWaitsForDidNotCome) {
  EventLoop loop;
  EXPECT_FALSE(loop.RunUntil([] { return false; }, milliseconds(1)));
}

TEST(EventLoop, RunsAgainAfterAStop) {
  EventLoop loop;
  loop.Post([&] { loop.Stop(); });
  loop.Run();
  bool again = false;
  loop.Post([&] { again = true; });
  EXPECT_TRUE(loop.RunUntil([&] { return again; }, seconds(10)));
}

TEST(Timer, CallsTheLastThingItWasSetToOnly) {
  EventLoop loop;
  Timer timer(loop);
  int first = 0, second = 0;
  timer.Set(milliseconds(0), [&] { ++first; });
  timer.Set(milliseconds(1), [&] { ++second; });
  ASSERT_TRUE(loop.RunUntil([&] { return second > 0; }, seconds(10)));
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
}

TEST(Timer, IsSilentOnceCancelledOrGone) {
  EventLoop loop;
  bool called = false, later = false;
  Timer cancelled(loop);
  cancelled.Set(milliseconds(0), [&] { called = true; });
  {
    Timer gone(loop);
    gone.Set(milliseconds(0), [&] { called = true; });
  }
  cancelled.Cancel();
  Timer last(loop);
  last.Set(milliseconds(5), [&] { later = true; });
  ASSERT_TRUE(loop.RunUntil([&] { return later; }, seconds(10)));
  EXPECT_FALSE(called);
}

TEST(Timer, MayBeSetAgainAndDestroyedByItsOwnCallback) {
  EventLoop loop;
  int calls = 0;
  auto timer = std::make_unique<Timer>(loop);
  std::function<void()> again = [&] {
    if (++calls < 3) {
      timer->Set(milliseconds(0), again);
    } else {
      timer.reset();
    }
  };
  timer->Set(milliseconds(0), again);
  ASSERT_TRUE(loop.RunUntil([&] { return timer == nullptr; }, seconds(10)));
  EXPECT_EQ(calls, 3);
}

TEST(Readiness, TellsOfADescriptorUntilItIsGone) {
  EventLoop loop;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::string read_text;
  {
    Readiness readiness(loop, ends[0], [&] {
      char byte;
      ASSERT_EQ(read(ends[0], &byte, 1), 1);
      read_text.push_back(byte);
    });
    ASSERT_EQ(write(ends[1], "ab", 2), 2);
    ASSERT_TRUE(loop.RunUntil([&] { return read_text.size() == 2; }, seconds(10)));
  }
  ASSERT_EQ(write(ends[1], "c", 1), 1);
  bool later = false;
  loop.Post([&] { later = true; });
  ASSERT_TRUE(loop.RunUntil([&] { return later; }, seconds(10)));
  EXPECT_EQ(read_text, "ab");
  EXPECT_EQ(close(ends[0]), 0);  // still the caller's
  close(ends[1]);
}

}  // namespace
}  // namespace warpshare::platform
