#include "platform/descriptor/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace warpshare::platform {
namespace {

class DescriptorTest : public testing::Test {
 protected:
  DescriptorTest() {
    char pattern[] = "/tmp/descriptor_test.XXXXXX";
    folder_ = mkdtemp(pattern);
  }
  ~DescriptorTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

TEST_F(DescriptorTest, GivesANewFileItsModeWhateverTheUmask) {
  const mode_t old = umask(0777);
  const auto file = OpenFile(folder_ + "/f", O_RDWR | O_CREAT | O_EXCL, 0666);
  umask(old);
  ASSERT_TRUE(file) << file.error().message;
  struct stat status = {};
  ASSERT_EQ(fstat(file->get(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0666u);
  EXPECT_NE(fcntl(file->get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(DescriptorTest, DoesNotFollowALink) {
  ASSERT_EQ(symlink("/etc/passwd", (folder_ + "/link").c_str()), 0);
  EXPECT_FALSE(OpenFile(folder_ + "/link", O_RDONLY));
  EXPECT_FALSE(ReadWholeFile(folder_ + "/link", 1 << 20));
}

TEST_F(DescriptorTest, FollowsTheLinksOfWhatIsMounted) {
  std::ofstream(folder_ + "/first") << "hello";
  ASSERT_EQ(symlink("first", (folder_ + "/link").c_str()), 0);
  EXPECT_EQ(ReadMountedFile(folder_ + "/link", 5).value(), "hello");
  EXPECT_EQ(ReadMountedFile(folder_ + "/link", 4).error().code, Errc::kInvalid);
  EXPECT_EQ(ReadMountedFile(folder_ + "/none", 4).error().code, Errc::kNotFound);
}

TEST_F(DescriptorTest, ReadsBackWhatItWrote) {
  const std::string path = folder_ + "/f";
  {
    const auto file = OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    ASSERT_TRUE(WriteAll(*file, "hello"));
  }
  EXPECT_EQ(ReadWholeFile(path, 5).value(), "hello");
  EXPECT_EQ(ReadWholeFile(path, 4).error().code, Errc::kInvalid);
  EXPECT_EQ(ReadWholeFile(folder_ + "/none", 4).error().code, Errc::kNotFound);
}

TEST_F(DescriptorTest, ReadsAFileOfAnySizeUpToTheBound) {
  const std::string path = folder_ + "/long";
  for (const size_t size : {0u, 1u, 16'383u, 16'384u, 16'385u, 32'768u, 100'000u}) {
    const std::string text(size, 'x');
    {
      const auto file = OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ASSERT_TRUE(WriteAll(*file, text));
    }
    EXPECT_EQ(ReadWholeFile(path, 1 << 20).value(), text);
    EXPECT_EQ(ReadWholeFile(path, size).value(), text);
    if (size > 0) {
      EXPECT_EQ(ReadWholeFile(path, size - 1).error().code, Errc::kInvalid);
    }
  }
}

TEST_F(DescriptorTest, ClosesAtTheEndOfItsScopeAndNotBefore) {
  int fd = -1;
  {
    auto file = OpenFile(folder_, O_RDONLY | O_DIRECTORY);
    const Descriptor moved = std::move(*file);
    fd = moved.get();
    EXPECT_GE(fcntl(fd, F_GETFD), 0);
  }
  EXPECT_EQ(fcntl(fd, F_GETFD), -1);
}

TEST_F(DescriptorTest, CopiesForChildrenAreInheritedAndHigh) {
  const auto file = OpenFile(folder_, O_RDONLY | O_DIRECTORY);
  const auto copy = CopyForChildren(*file);
  ASSERT_TRUE(copy);
  EXPECT_GE(copy->get(), 512);
  EXPECT_EQ(fcntl(copy->get(), F_GETFD) & FD_CLOEXEC, 0);
}

}  // namespace
}  // namespace warpshare::platform
