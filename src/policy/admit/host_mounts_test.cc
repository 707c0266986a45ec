#include "policy/admit/host_mounts.h"

#include <gtest/gtest.h>

namespace warpshare::admit {
namespace {

std::string Refusal(const std::string& path, bool is_read_only = false,
                    bool is_read_only_below = false) {
  const auto error = WritesToOurFolders({{.container = "main",
                                          .path = path,
                                          .is_read_only = is_read_only,
                                          .is_read_only_below = is_read_only_below}});
  return error ? error->message : "";
}

TEST(HostMounts, WhatCouldBeWrittenToOfOursIsRefused) {
  for (const char* path :
       {"/run/warpshare-node", "/run/warpshare-node/", "/run/warpshare-node/tenants/a/limits",
        "/var/lib/warpshare", "/", "", "/run", "/var", "/var/lib", "/var/run",
        "/var/run/warpshare-node", "//run/./warpshare-node", "/opt/../run"})
    EXPECT_NE(Refusal(path), "") << path;
}

TEST(HostMounts, OtherFoldersAreTheUsers) {
  for (const char* path : {"/run/warpshare", "/run/warpshare-node2", "/var/lib/docker", "/data",
                           "/var/log", "/dev/shm", "/opt/run/warpshare-node"})
    EXPECT_EQ(Refusal(path), "") << path;
}

TEST(HostMounts, WhatIsReadOnlyMayBeSeen) {
  EXPECT_EQ(Refusal("/run/warpshare-node", true), "");
  EXPECT_EQ(Refusal("/var/lib/warpshare/libraries", true), "");
}

// Where /run is a file system of its own, `/` mounted readOnly still shows it as it is.
TEST(HostMounts, AFolderAboveOursIsReadOnlyWhenAllBelowItIs) {
  for (const char* path : {"/", "/run", "/var/lib"}) {
    EXPECT_NE(Refusal(path, true), "") << path;
    EXPECT_EQ(Refusal(path, true, true), "") << path;
  }
}

TEST(HostMounts, TheRefusalSaysWhatToChange) {
  EXPECT_EQ(Refusal("/run/warpshare-node"),
            "container main: could write to the machine's /run/warpshare-node, which holds "
            "containers to their limits, by the hostPath /run/warpshare-node: mount another "
            "folder, or this one with readOnly: true");
  EXPECT_TRUE(Refusal("/var/lib", true).ends_with("readOnly: true and recursiveReadOnly: Enabled"));
}

}  // namespace
}  // namespace warpshare::admit
