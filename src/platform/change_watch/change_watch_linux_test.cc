#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "platform/change_watch/change_watch.h"

namespace warpshare::platform {
namespace {

class ChangeWatchTest : public testing::Test {
 protected:
  ChangeWatchTest() {
    char pattern[] = "/tmp/change_watch_test.XXXXXX";
    folder_ = mkdtemp(pattern);
    path_ = folder_ + "/file";
    Write(path_);
  }
  ~ChangeWatchTest() override { std::filesystem::remove_all(folder_); }

  static void Write(const std::string& path) {
    const auto file = OpenFile(path, O_WRONLY | O_CREAT, 0600);
    EXPECT_TRUE(WriteAll(*file, "word"));
  }

  // The kernel tells in the call that changes something: there is nothing to wait for.
  bool IsTold() {
    struct pollfd ready = {watch_->descriptor(), POLLIN, 0};
    const bool is_told = poll(&ready, 1, 0) == 1;
    watch_->Acknowledge();
    return is_told;
  }

  std::string folder_;
  std::string path_;
  Result<LinuxChangeWatch> watch_ = LinuxChangeWatch::Open();
};

TEST_F(ChangeWatchTest, TellsOfNamesThatComeAndGo) {
  ASSERT_TRUE(watch_->WatchFolder(folder_));
  EXPECT_FALSE(IsTold());
  std::filesystem::create_directory(folder_ + "/aside");
  EXPECT_TRUE(IsTold());
  EXPECT_FALSE(IsTold()) << "told once";
  std::filesystem::rename(folder_ + "/aside", folder_ + "/tenant");
  EXPECT_TRUE(IsTold());
  std::filesystem::remove(folder_ + "/tenant");
  EXPECT_TRUE(IsTold());
}

TEST_F(ChangeWatchTest, TellsOfTheEndOfAFolder) {
  const std::string inner = folder_ + "/inner";
  std::filesystem::create_directory(inner);
  const auto id = watch_->WatchFolder(inner);
  ASSERT_TRUE(id);
  std::filesystem::remove(inner);
  EXPECT_TRUE(IsTold());
  watch_->Forget(*id);
  EXPECT_FALSE(watch_->WatchFolder(inner));
  EXPECT_FALSE(watch_->WatchFolder(path_)) << "no folder";
}

TEST_F(ChangeWatchTest, TellsWhenAFileWasChangedThroughAMapping) {
  ASSERT_TRUE(watch_->WatchFile(path_));
  {
    const auto file = OpenFile(path_, O_RDWR);
    void* bytes = mmap(nullptr, 4, PROT_READ | PROT_WRITE, MAP_SHARED, file->get(), 0);
    ASSERT_NE(bytes, MAP_FAILED);
    *static_cast<char*>(bytes) = 'W';
    munmap(bytes, 4);
    EXPECT_FALSE(IsTold());
  }
  EXPECT_TRUE(IsTold());
  (void)ReadWholeFile(path_, 16);
  EXPECT_FALSE(IsTold()) << "nobody wrote";
}

TEST_F(ChangeWatchTest, TellsWhenAFileIsReplaced) {
  ASSERT_TRUE(watch_->WatchFile(path_));
  Write(folder_ + "/new");
  EXPECT_FALSE(IsTold());
  std::filesystem::rename(folder_ + "/new", path_);
  EXPECT_TRUE(IsTold());
}

TEST_F(ChangeWatchTest, TellsNothingOfWhatWasForgotten) {
  const auto id = watch_->WatchFile(path_);
  ASSERT_TRUE(id);
  watch_->Forget(*id);
  watch_->Acknowledge();
  Write(path_);
  EXPECT_FALSE(IsTold());
}

}  // namespace
}  // namespace warpshare::platform
