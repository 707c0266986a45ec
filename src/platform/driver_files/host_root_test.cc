#include "platform/driver_files/host_root.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpshare::platform {
namespace {

namespace fs = std::filesystem;

class HostRootTest : public testing::Test {
 protected:
  HostRootTest() {
    char pattern[] = "/tmp/host_root_test.XXXXXX";
    root_ = mkdtemp(pattern);
    fs::create_directories(root_ + "/usr/lib/driver");
    std::ofstream(root_ + "/usr/lib/driver/libx.so.1.2") << "x";
  }
  ~HostRootTest() override { fs::remove_all(root_); }

  void Link(const std::string& path, const std::string& target) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    fs::create_symlink(target, root_ + path);
  }
  std::string Found(const std::string& path) {
    const auto found = HostRoot(root_ + "/").Find(path);
    return found ? *found : found.error().message;
  }

  std::string root_;
};

TEST_F(HostRootTest, FollowsTheHostsLinksWithinTheHost) {
  Link("/usr/lib/driver/libx.so.1", "libx.so.1.2");
  Link("/etc/alternatives/libx", "/usr/lib/driver/libx.so.1");
  Link("/usr/lib/libx.so.1", "/etc/alternatives/libx");
  Link("/lib", "usr/lib");
  EXPECT_EQ(Found("/lib/libx.so.1"), root_ + "/usr/lib/driver/libx.so.1.2");
}

TEST_F(HostRootTest, NeverLeavesTheHost) {
  Link("/up", "../../../../../../../../../../usr/lib");
  EXPECT_EQ(Found("/up/driver"), root_ + "/usr/lib/driver");
  EXPECT_EQ(Found("/../../usr/lib"), root_ + "/usr/lib");
}

TEST_F(HostRootTest, SaysWhatIsNotThere) {
  Link("/dangling", "/no/such/file");
  Link("/round", "/round");
  EXPECT_EQ(Found("/dangling"), "there is no /dangling on the host");
  EXPECT_NE(Found("/round").find("cannot follow the links of /round"), std::string::npos);
}

TEST_F(HostRootTest, IsTheHostItselfWithoutAMountPoint) {
  Link("/usr/lib/libx.so.1", root_ + "/usr/lib/driver/libx.so.1.2");
  EXPECT_FALSE(HostRoot().is_elsewhere());
  EXPECT_FALSE(HostRoot("/").is_elsewhere());
  EXPECT_EQ(*HostRoot().Find(root_ + "/usr/lib/libx.so.1"), root_ + "/usr/lib/driver/libx.so.1.2");
}

}  // namespace
}  // namespace warpshare::platform
