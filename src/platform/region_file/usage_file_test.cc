#include "platform/region_file/usage_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include "abi/region/usage_page.h"
#include "platform/region_file/file_lock.h"

namespace warpshare::platform {
namespace {

class UsageFileTest : public testing::Test {
 protected:
  UsageFileTest() {
    char pattern[] = "/tmp/usage_file_test.XXXXXX";
    folder_ = mkdtemp(pattern);
    path_ = folder_ + "/usage";
  }
  ~UsageFileTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  std::string path_;
};

TEST_F(UsageFileTest, IsMadeSparseWithAHeaderForEveryUser) {
  const mode_t old = umask(077);
  ASSERT_TRUE(MakeUsageFile(path_));
  umask(old);
  struct stat status = {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0666u);
  EXPECT_EQ(status.st_size, static_cast<off_t>(sizeof(abi::UsagePageV1)));
  EXPECT_LE(status.st_blocks * 512, 64 * 1024);

  std::vector<std::byte> copy(sizeof(abi::UsagePageV1));
  EXPECT_EQ(UsageFile::Open(path_)->Copy(copy).value(), copy.size());
  uint64_t magic = 0;
  std::memcpy(&magic, copy.data(), sizeof(magic));
  EXPECT_EQ(magic, abi::kUsageMagic);
}

TEST_F(UsageFileTest, IsNeverMadeTwice) {
  ASSERT_TRUE(MakeUsageFile(path_));
  EXPECT_FALSE(MakeUsageFile(path_));
}

TEST_F(UsageFileTest, KnowsWhichSlotsHaveALivingOwner) {
  ASSERT_TRUE(MakeUsageFile(path_));
  const auto usage = UsageFile::Open(path_);
  EXPECT_FALSE(usage->IsAnySlotHeld().value());
  {
    const Descriptor owner = std::move(OpenFile(path_, O_RDWR).value());
    ASSERT_TRUE(TryLock(owner, LockMode::kExclusive,
                        {.start = static_cast<off_t>(abi::SlotLockByte(1023)), .length = 1})
                    .value());
    EXPECT_TRUE(usage->IsSlotHeld(1023).value());
    EXPECT_FALSE(usage->IsSlotHeld(1022).value());
    EXPECT_TRUE(usage->IsAnySlotHeld().value());
  }
  EXPECT_FALSE(usage->IsAnySlotHeld().value());
}

TEST_F(UsageFileTest, NeitherWaitsForAPipeNorFollowsALink) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(UsageFile::Open(path_).error().code, Errc::kCorrupt);
  unlink(path_.c_str());
  ASSERT_EQ(symlink("/etc/passwd", path_.c_str()), 0);
  EXPECT_FALSE(UsageFile::Open(path_));
}

TEST_F(UsageFileTest, CopiesWhatIsLeftOfAFileThatWasCutShort) {
  ASSERT_TRUE(MakeUsageFile(path_));
  ASSERT_EQ(truncate(path_.c_str(), 100), 0);
  std::vector<std::byte> copy(sizeof(abi::UsagePageV1));
  EXPECT_EQ(UsageFile::Open(path_)->Copy(copy).value(), 100u);
}

TEST_F(UsageFileTest, WhatATenantMadeTooLongIsCutAndWhatIsShortIsLeft) {
  constexpr off_t kPage = sizeof(abi::UsagePageV1);
  ASSERT_TRUE(MakeUsageFile(path_));
  const auto size = [&] { return static_cast<off_t>(std::filesystem::file_size(path_)); };
  EXPECT_EQ(CutUsageFile(path_), false);
  ASSERT_EQ(truncate(path_.c_str(), kPage + 1), 0);
  EXPECT_EQ(CutUsageFile(path_), true);
  EXPECT_EQ(size(), kPage);
  ASSERT_EQ(truncate(path_.c_str(), 10), 0);
  EXPECT_EQ(CutUsageFile(path_), false);
  EXPECT_EQ(size(), 10);
  std::filesystem::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_FALSE(CutUsageFile(path_)) << "and it does not wait";
}

}  // namespace
}  // namespace warpshare::platform
