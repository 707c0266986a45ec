#include "platform/process/signal_queue.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace warpshare::platform {
namespace {

TEST(SignalQueue, GivesOutWhatArrivedAndSaysWhoSentIt) {
  const auto queue = SignalQueue::Open({SIGUSR1, SIGTERM});
  ASSERT_TRUE(queue);
  kill(getpid(), SIGTERM);
  const auto signal = queue->Next(0);
  ASSERT_TRUE(signal);
  EXPECT_EQ(signal->number, SIGTERM);
  EXPECT_FALSE(signal->from_kernel);
  EXPECT_EQ(signal->sender, getpid());
  EXPECT_FALSE(queue->Next(0));
}

TEST(SignalQueue, WakesForAnotherFileToo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto queue = SignalQueue::Open({SIGUSR1});
  ASSERT_EQ(write(ends[1], "q", 1), 1);
  EXPECT_FALSE(queue->Next(-1, ends[0]));
  close(ends[0]);
  close(ends[1]);
}

TEST(SignalQueue, PutsTheMaskBack) {
  sigset_t before;
  sigset_t after;
  sigprocmask(SIG_SETMASK, nullptr, &before);
  {
    const auto queue = SignalQueue::Open({SIGUSR2});
    sigprocmask(SIG_SETMASK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGUSR2), 1);
  }
  sigprocmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(sigismember(&after, SIGUSR2), sigismember(&before, SIGUSR2));
}

}  // namespace
}  // namespace warpshare::platform
