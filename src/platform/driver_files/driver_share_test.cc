#include "platform/driver_files/driver_share.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpshare::platform {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

constexpr char kFolder[] = "/usr/lib/x86_64-linux-gnu";

// A host below a folder, with what a driver's packages and modules put there: no real ones.
class DriverShareTest : public testing::Test {
 protected:
  DriverShareTest() {
    char pattern[] = "/tmp/driver_share_test.XXXXXX";
    root_ = mkdtemp(pattern);
    for (const char* node : {"nvidia0", "nvidia3", "nvidiactl", "nvidia-uvm"})
      Put(std::string("/dev/") + node);
    Library("libcuda.so.1");
  }
  ~DriverShareTest() override { fs::remove_all(root_); }

  void Put(const std::string& path) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << "x";
  }
  // As Debian has them: in a folder of the driver's, reached by links that name the host's paths.
  void Library(const std::string& name) {
    Put("/usr/lib/nvidia/current/" + name);
    fs::create_directories(root_ + kFolder);
    fs::create_symlink("/usr/lib/nvidia/current/" + name, root_ + kFolder + "/" + name);
  }
  Result<DriverShare> Share(const std::vector<uint32_t>& minors) {
    return ShareOfDriver(HostRoot(root_), kFolder, minors);
  }

  std::string root_;
};

TEST_F(DriverShareTest, GivesWhatProgramsOfCudaLoadByTheHostsPaths) {
  for (const char* name : {"libnvidia-ml.so.1", "libnvidia-ptxjitcompiler.so.1",
                           "libnvidia-gpucomp.so.570.1", "libnvidia-glcore.so.570.1", "libc.so.6"})
    Library(name);
  const auto share = Share({0});
  ASSERT_TRUE(share) << share.error().message;
  const std::string folder = std::string(kFolder) + "/";
  EXPECT_EQ(share->files,
            (Paths{folder + "libcuda.so.1", folder + "libnvidia-gpucomp.so.570.1",
                   folder + "libnvidia-ml.so.1", folder + "libnvidia-ptxjitcompiler.so.1"}));
}

TEST_F(DriverShareTest, LeavesOutALinkToNothing) {
  fs::create_symlink("/usr/lib/nvidia/none", root_ + kFolder + "/libnvidia-ml.so.1");
  EXPECT_EQ(Share({0})->files, Paths{std::string(kFolder) + "/libcuda.so.1"});
}

TEST_F(DriverShareTest, GivesTheCardsNodesAndTheCommonOnesThatAreThere) {
  EXPECT_EQ(Share({0, 3})->nodes,
            (Paths{"/dev/nvidia0", "/dev/nvidia3", "/dev/nvidiactl", "/dev/nvidia-uvm"}));
  Put("/dev/nvidia-uvm-tools");
  EXPECT_EQ(Share({3})->nodes,
            (Paths{"/dev/nvidia3", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools"}));
}

TEST_F(DriverShareTest, FailsWithTheRemedyWhenNoProgramCouldRun) {
  EXPECT_EQ(Share({1}).error().message,
            "there is no /dev/nvidia1 on the host: run there: nvidia-modprobe -c 0 -u");
  fs::remove(root_ + "/dev/nvidia-uvm");
  EXPECT_EQ(Share({0}).error().code, Errc::kNotFound);
}

}  // namespace
}  // namespace warpshare::platform
