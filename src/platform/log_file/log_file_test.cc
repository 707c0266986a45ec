#include "platform/log_file/log_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace warpshare::platform {
namespace {

class LogFileTest : public testing::Test {
 protected:
  LogFileTest() {
    char pattern[] = "/tmp/log_file_test.XXXXXX";
    folder_ = mkdtemp(pattern);
    path_ = folder_ + "/log";
  }
  ~LogFileTest() override { std::filesystem::remove_all(folder_); }

  std::string Text() const { return ReadWholeFile(path_, 1 << 20).value(); }

  std::string folder_;
  std::string path_;
};

TEST_F(LogFileTest, AppendsLinesWithTheirTime) {
  LogFile::Open(path_)->Line("first");
  LogFile::Open(path_)->Line("second");
  const std::string text = Text();
  EXPECT_EQ(text.substr(4, 1), "-");
  EXPECT_NE(text.find("Z first\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("Z second\n"));
}

TEST_F(LogFileTest, KeepsAtMostTwoFilesOfABoundedLength) {
  auto log = LogFile::Open(path_);
  const std::string line(1000, 'x');
  for (int64_t bytes = 0; bytes < 3 * LogFile::kMostBytes; bytes += 1000) log->Line(line);
  uint64_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_LE(entry.file_size(), static_cast<uint64_t>(LogFile::kMostBytes) + 2000);
    ++files;
  }
  EXPECT_EQ(files, 2u);
}

TEST_F(LogFileTest, SaysWhyItCannotBeOpened) {
  const auto log = LogFile::Open(folder_ + "/none/log");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, Errc::kNotFound);
}

}  // namespace
}  // namespace warpshare::platform
