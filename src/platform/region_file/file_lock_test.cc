#include "platform/region_file/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpshare::platform {
namespace {

class FileLockTest : public testing::Test {
 protected:
  FileLockTest() {
    char pattern[] = "/tmp/file_lock_test.XXXXXX";
    close(mkstemp(pattern));
    path_ = pattern;
  }
  ~FileLockTest() override { unlink(path_.c_str()); }

  Descriptor Open() { return std::move(OpenFile(path_, O_RDWR).value()); }

  std::string path_;
};

TEST_F(FileLockTest, ExcludesAnotherOpenFileOfTheSameProcess) {
  const Descriptor one = Open();
  const Descriptor two = Open();
  EXPECT_TRUE(TryLock(one, LockMode::kExclusive).value());
  EXPECT_FALSE(TryLock(two, LockMode::kExclusive).value());
  EXPECT_FALSE(TryLock(two, LockMode::kShared).value());
  EXPECT_TRUE(IsLockedElsewhere(two).value());
  EXPECT_FALSE(IsLockedElsewhere(one).value());
}

TEST_F(FileLockTest, SharesAndKeepsRangesApart) {
  const Descriptor one = Open();
  const Descriptor two = Open();
  EXPECT_TRUE(TryLock(one, LockMode::kShared).value());
  EXPECT_TRUE(TryLock(two, LockMode::kShared).value());
  EXPECT_FALSE(TryLock(one, LockMode::kExclusive, {.start = 1000, .length = 1}).value());
  const Descriptor three = Open();
  EXPECT_TRUE(IsLockedElsewhere(three, {.start = 5, .length = 1}).value());
}

TEST_F(FileLockTest, SeesOnlyLocksInTheRange) {
  const Descriptor one = Open();
  const Descriptor two = Open();
  ASSERT_TRUE(TryLock(one, LockMode::kExclusive, {.start = off_t{1} << 32, .length = 1}).value());
  EXPECT_TRUE(IsLockedElsewhere(two, {.start = off_t{1} << 32, .length = 1024}).value());
  EXPECT_FALSE(IsLockedElsewhere(two, {.start = (off_t{1} << 32) + 1, .length = 1023}).value());
}

TEST_F(FileLockTest, LivesOnInAChildThatInheritedTheFileAndEndsWithIt) {
  int hold[2];
  ASSERT_EQ(pipe(hold), 0);
  Descriptor lock = Open();
  ASSERT_TRUE(TryLock(lock, LockMode::kShared).value());
  const pid_t child = fork();
  if (child == 0) {
    close(hold[1]);
    char byte;
    _exit(read(hold[0], &byte, 1) == 0 ? 0 : 1);
  }
  close(hold[0]);
  lock.Close();
  const Descriptor other = Open();
  EXPECT_TRUE(IsLockedElsewhere(other).value());
  close(hold[1]);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(IsLockedElsewhere(other).value());
}

}  // namespace
}  // namespace warpshare::platform
