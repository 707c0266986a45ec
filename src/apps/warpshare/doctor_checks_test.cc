#include "apps/warpshare/doctor_checks.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace warpshare::app {
namespace {

namespace fs = std::filesystem;

TEST(CheckGlibc, HoldsTheVersionAgainstTheFloor) {
  for (const char* fine : {"2.17", "2.36", "2.36.9000", "3.0"})
    EXPECT_EQ(CheckGlibc(fine).health, Health::kFine) << fine;
  for (const char* old : {"2.16", "2.9", "1.99", "", "glibc"}) {
    EXPECT_EQ(CheckGlibc(old).health, Health::kBroken) << old;
    EXPECT_FALSE(CheckGlibc(old).mend.empty());
  }
}

class CheckDeviceNodesTest : public testing::Test {
 protected:
  CheckDeviceNodesTest() {
    char pattern[] = "/tmp/doctor_checks_test.XXXXXX";
    folder_ = mkdtemp(pattern);
    fs::permissions(folder_, fs::perms(0755));
  }
  ~CheckDeviceNodesTest() override { fs::remove_all(folder_); }

  void Make(const std::string& name, unsigned mode) {
    std::ofstream(folder_ + "/" + name) << "";
    fs::permissions(folder_ + "/" + name, fs::perms(mode));
  }

  // As somebody whom modes bind.
  std::vector<Check> Look() {
    constexpr uid_t kNobody = 65534;
    const bool is_root = geteuid() == 0;
    EXPECT_EQ(is_root ? seteuid(kNobody) : 0, 0);
    const std::vector<Check> checks = CheckDeviceNodes(folder_);
    EXPECT_EQ(is_root ? seteuid(0) : 0, 0);
    return checks;
  }

  std::string folder_;
};

TEST_F(CheckDeviceNodesTest, NamesTheNodeThatMayNotBeUsed) {
  Make("nvidiactl", 0666);
  Make("nvidia0", 0666);
  EXPECT_EQ(Look().at(0).health, Health::kFine);
  EXPECT_EQ(Look().at(0).finding, folder_ + "/nvidia0, " + folder_ + "/nvidiactl");
  Make("nvidia-uvm", 0444);
  const Check check = Look().at(0);
  EXPECT_EQ(check.health, Health::kOdd);
  EXPECT_EQ(check.finding,
            "you may not read and write " + folder_ + "/nvidia-uvm (Permission denied)");
  EXPECT_FALSE(check.mend.empty());
}

TEST_F(CheckDeviceNodesTest, HasNothingToSayWhereThereAreNone) {
  Make("nvidia-caps", 0);
  Make("nvidia", 0);
  Make("nvidia-modeset", 0);
  EXPECT_TRUE(Look().empty());
  EXPECT_TRUE(CheckDeviceNodes("/no/such/folder").empty());
}

}  // namespace
}  // namespace warpshare::app
