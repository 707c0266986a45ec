#include "interposer/log/log.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "abi/names/env.h"

namespace warpshare::interposer::log {
namespace {

class LogTest : public testing::Test {
 protected:
  LogTest() : file_(testing::TempDir() + "warpshare-log-" + std::to_string(getpid())) {}
  ~LogTest() override {
    std::filesystem::remove(file_);
    unsetenv(abi::kEnvLog);
    g_threshold = 0;
  }
  void Set(const std::string& setting) {
    setenv(abi::kEnvLog, setting.c_str(), 1);
    g_threshold = 0;  // as in a process that has not looked yet
  }
  std::string Written() const {
    std::ifstream file(file_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string file_;
};

TEST_F(LogTest, IsOffUnlessAskedFor) {
  unsetenv(abi::kEnvLog);
  g_threshold = 0;
  EXPECT_FALSE(IsOn(Level::kError));
  Set("");
  EXPECT_FALSE(IsOn(Level::kError));
}

TEST_F(LogTest, WritesLinesUpToItsLevel) {
  Set(file_ + ":info");
  Say(Level::kError, "one");
  Say(Level::kInfo, "two");
  Say(Level::kTrace, "three");
  const std::string text = Written();
  EXPECT_NE(text.find(" error one\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" info two\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("three"), std::string::npos) << text;
  EXPECT_NE(text.find("pid " + std::to_string(getpid())), std::string::npos) << text;
}

TEST_F(LogTest, TakesTheLevelInfoAndAColonForAPartOfTheNameIfNoLevelFollows) {
  file_ += ":x";
  Set(file_);
  Say(Level::kInfo, "here");
  EXPECT_NE(Written().find("here"), std::string::npos);
}

TEST_F(LogTest, KeepsALineWholeAndMarksOneThatWasCut) {
  Set(file_ + ":trace");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int n = 0; n < 50; ++n) {
        if (IsOn(Level::kTrace)) Line(Level::kTrace).Add(std::string(1000, 'x').c_str());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::ifstream file(file_);
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines)
    EXPECT_TRUE(line.ends_with("xx>")) << line;
  EXPECT_EQ(lines, 200);
}

TEST_F(LogTest, IsSilentWhereTheFileCannotBeWritten) {
  Set("/nonexistent/folder/log");
  Say(Level::kError, "lost");
}

}  // namespace
}  // namespace warpshare::interposer::log
