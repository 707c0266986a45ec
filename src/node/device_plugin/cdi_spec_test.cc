#include "node/device_plugin/cdi_spec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "node/device_plugin/container_surroundings.h"
#include "platform/descriptor/descriptor.h"

namespace warpshare::node {
namespace {

const ContainerSurroundings kSurroundings = {.interposer_folder = "/lib/v1",
                                             .driver_files = {"/usr/lib/libcuda.so.1"},
                                             .device_nodes = {"/dev/nvidia0"},
                                             .simulated_driver_folder = {},
                                             .simulated_world = "/dev/shm/world"};

TEST(CdiSpec, HasTheDriversPart) {
  EXPECT_EQ(
      CdiSpec(DriverEdits(kSurroundings)),
      R"({"cdiVersion":"0.5.0","kind":"warpshare.io/driver","devices":[{"name":"all","containerEdits":{)"
      R"("env":["SIMGPU_WORLD=/run/simgpu/world"],)"
      R"("deviceNodes":[{"path":"/dev/nvidia0","hostPath":"/dev/nvidia0","permissions":"rw"}],)"
      R"("mounts":[{"hostPath":"/usr/lib/libcuda.so.1","containerPath":"/usr/local/nvidia/lib64/libcuda.so.1",)"
      R"("options":["ro","nosuid","nodev","rbind","rprivate"]},)"
      R"({"hostPath":"/dev/shm/world","containerPath":"/run/simgpu/world",)"
      R"("options":["rw","nosuid","nodev","rbind","rprivate"]}]}}]})");
}

TEST(CdiSpec, TakesThePlaceOfTheDriversMountsAndOfNoOthers) {
  ContainerSurroundings surroundings = kSurroundings;
  const auto plain = EditsFor(surroundings, "/tenant");
  surroundings.is_driver_by_cdi = true;
  const auto by_cdi = EditsFor(surroundings, "/tenant");
  EXPECT_EQ(by_cdi.cdi_devices, std::vector<std::string>{"warpshare.io/driver=all"});
  EXPECT_TRUE(by_cdi.device_nodes.empty());
  EXPECT_TRUE(by_cdi.environment.empty());
  for (const auto& mount : by_cdi.mounts)
    EXPECT_NE(std::ranges::find(plain.mounts, mount), plain.mounts.end()) << mount.host_path;
  EXPECT_EQ(by_cdi.mounts.size() + DriverEdits(surroundings).mounts.size(), plain.mounts.size());
}

TEST(CdiSpec, IsAFileInAFolderThatIsMadeForIt) {
  char pattern[] = "/tmp/cdi_spec_test.XXXXXX";
  const std::string root = mkdtemp(pattern);
  for (int times = 0; times < 2; ++times)
    ASSERT_TRUE(WriteCdiSpec(root + "/cdi", DriverEdits(kSurroundings)));
  EXPECT_EQ(platform::ReadWholeFile(root + "/cdi/warpshare.io-driver.json", 1 << 20).value(),
            CdiSpec(DriverEdits(kSurroundings)));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root + "/cdi"), {}), 1);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace warpshare::node
