#include "node/tenancy/state_dir.h"

#include <sys/stat.h>

#include <cstdlib>

#include "node/tenancy/fake/tenancy_fixture.h"

namespace warpshare::node {
namespace {

using StateDirTest = TenancyFixture;

TEST_F(StateDirTest, LetsOnlyThoseThroughWhoMustGetThrough) {
  const StateDir state = State();
  struct stat status = {};
  for (const std::string& path : {state.path(), state.tenants_path()}) {
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, geteuid() == 0 ? 0711u : 0700u);
  }
}

TEST_F(StateDirTest, RefusesAFolderThatOthersCanWriteTo) {
  ASSERT_TRUE(MakeFolder(root_ + "/open", 0777));
  const auto state = StateDir::Open(root_ + "/open", IfMissing::kMake);
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().code, Errc::kPermission);
}

TEST_F(StateDirTest, RefusesALinkAndAFile) {
  ASSERT_EQ(symlink(root_.c_str(), (root_ + "/link").c_str()), 0);
  EXPECT_EQ(StateDir::Open(root_ + "/link", IfMissing::kMake).error().code, Errc::kConflict);
  EXPECT_FALSE(StateDir::Open("/etc/passwd", IfMissing::kMake));
}

TEST_F(StateDirTest, RefusesAFolderOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make one";
  ASSERT_TRUE(MakeFolder(root_ + "/theirs", 0700));
  ASSERT_EQ(chown((root_ + "/theirs").c_str(), 12345, 12345), 0);
  EXPECT_EQ(StateDir::Open(root_ + "/theirs", IfMissing::kMake).error().code, Errc::kPermission);
}

TEST_F(StateDirTest, IsNotMadeByThoseWhoOnlyLook) {
  EXPECT_EQ(StateDir::Open(root_ + "/none", IfMissing::kFail).error().code, Errc::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(root_ + "/none"));
}

TEST_F(StateDirTest, IsWhereTheEnvironmentSays) {
  const char* before = getenv("WARPSHARE_STATE_DIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("WARPSHARE_STATE_DIR", "/somewhere", 1);
  EXPECT_EQ(StateDir::DefaultPath(), "/somewhere");
  unsetenv("WARPSHARE_STATE_DIR");
  EXPECT_TRUE(geteuid() != 0 || StateDir::DefaultPath() == "/run/warpshare");
  if (before != nullptr) setenv("WARPSHARE_STATE_DIR", kept.c_str(), 1);
}

TEST_F(StateDirTest, GivesUpOnALockWhoseHolderDoesNotGoOn) {
  const StateDir state = State();
  {
    const auto held = state.Lock(clock_);
    ASSERT_TRUE(held);
    const auto before = clock_.Now();
    const auto refused = state.Lock(clock_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::kUnavailable);
    EXPECT_GE(clock_.Now() - before, std::chrono::seconds(10));
  }
  EXPECT_TRUE(state.Lock(clock_));
}

}  // namespace
}  // namespace warpshare::node
