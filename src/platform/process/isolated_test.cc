#include "platform/process/isolated.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace warpshare::platform {
namespace {

using std::chrono::milliseconds;

TEST(RunIsolated, BringsTheAnswerBack) {
  const std::string large(200'000, 'x');
  EXPECT_EQ(RunIsolated([&] { return large; }, milliseconds(60'000)).value(), large);
}

TEST(RunIsolated, SurvivesACrashAndAnExit) {
  const auto crash = RunIsolated(
      [] {
        signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn it into an exit
        raise(SIGSEGV);
        return std::string();
      },
      milliseconds(60'000));
  EXPECT_EQ(crash.error().message, "crashed (Segmentation fault)");
  const auto exited = RunIsolated([]() -> std::string { _exit(3); }, milliseconds(60'000));
  EXPECT_EQ(exited.error().message, "ended with exit code 3");
}

TEST(RunIsolated, EndsAProbeThatHangs) {
  const auto hung = RunIsolated(
      [] {
        while (true) pause();
        return std::string();
      },
      milliseconds(20));
  EXPECT_EQ(hung.error().message, "did not answer within 20 ms");
}

}  // namespace
}  // namespace warpshare::platform
