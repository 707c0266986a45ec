#include "platform/process/detached.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kLong{60'000};

class DetachedTest : public testing::Test {
 protected:
  DetachedTest() {
    char pattern[] = "/tmp/detached_test.XXXXXX";
    folder_ = mkdtemp(pattern);
  }
  ~DetachedTest() override { std::filesystem::remove_all(folder_); }

  Result<Readiness> Start(const std::string& script, milliseconds patience = kLong) {
    return StartDetached({.arguments = {"/bin/sh", "-c", script}, .output_path = folder_ + "/out"},
                         patience);
  }
  std::string Output() { return ReadWholeFile(folder_ + "/out", 1 << 16).value_or("none"); }

  std::string folder_;
};

TEST_F(DetachedTest, IsReadyWhenTheProgramSaysSo) {
  const auto started = Start("echo out; echo err >&2; printf r >&3");
  ASSERT_TRUE(started);
  EXPECT_EQ(*started, Readiness::kReady);
  EXPECT_EQ(Output(), "out\nerr\n");
}

TEST_F(DetachedTest, HasNothingOfOurs) {
  const auto inherited = CopyForChildren(*OpenFile(folder_, O_RDONLY | O_DIRECTORY));
  ASSERT_TRUE(inherited);
  const auto started =
      Start("ls /proc/$$/fd; pwd; ps -o sid= -p $$ | tr -d ' '; cat; printf r >&3");
  ASSERT_EQ(*started, Readiness::kReady);
  EXPECT_TRUE(Output().starts_with("0\n1\n2\n3\n/\n")) << Output();
  EXPECT_EQ(Output().find("\n" + std::to_string(getsid(0)) + "\n"), std::string::npos);
}

TEST_F(DetachedTest, ItsEndIsSeen) {
  EXPECT_EQ(*Start("exit 0"), Readiness::kEnded);
  const auto missing =
      StartDetached({.arguments = {"/no/such/program"}, .output_path = folder_ + "/out"}, kLong);
  ASSERT_TRUE(missing);
  EXPECT_EQ(*missing, Readiness::kEnded);
  EXPECT_EQ(Output(), "cannot run /no/such/program: No such file or directory\n");
}

TEST_F(DetachedTest, IsNotWaitedForLongerThanAsked) {
  const std::string pipe = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(*Start("read line <" + pipe, milliseconds(1)), Readiness::kNotYet);
  const auto lets_it_end = OpenFile(pipe, O_WRONLY);
}

TEST_F(DetachedTest, NeedsAPlaceForItsOutput) {
  const auto started =
      StartDetached({.arguments = {"/bin/true"}, .output_path = folder_ + "/none/out"}, kLong);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, Errc::kNotFound);
}

}  // namespace
}  // namespace warpshare::platform
