#include "bench/share/stage/scratch_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

namespace warpshare::bench {
namespace {

class ScratchFolderTest : public testing::Test {
 protected:
  const std::string prefix_ = "warpshare-scratch-test-" + std::to_string(getpid()) + "-";
};

TEST_F(ScratchFolderTest, GoesWithItsObject) {
  std::string path;
  {
    const ScratchFolder folder(prefix_);
    path = folder.path();
    std::ofstream(path + "/file") << "something";
    EXPECT_TRUE(std::filesystem::exists(path + "/file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(ScratchFolderTest, OfAKilledProcessGoesWhenTheNextIsMade) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const ScratchFolder folder(prefix_);
    const bool told = write(ready[1], folder.path().c_str(), folder.path().size() + 1) > 0;
    while (told) pause();
  }
  char left[256] = {};
  ASSERT_GT(read(ready[0], left, sizeof(left) - 1), 0);
  const std::optional<ScratchFolder> beside(prefix_);
  EXPECT_TRUE(std::filesystem::exists(left)) << "its process lives";
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  const ScratchFolder next(prefix_);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(beside->path()));
}

}  // namespace
}  // namespace warpshare::bench
