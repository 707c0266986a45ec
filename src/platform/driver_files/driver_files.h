// Finds the CUDA driver as the loader would for a program started from here, but past our own
// libraries, which carry its names.
//
//   1  WARPSHARE_DRIVER_DIR, if set: nothing else is tried
//   2  the folders of LD_LIBRARY_PATH
//   3  /etc/ld.so.cache
//   4  the usual folders (abi::kUsualDriverFolders)
//
// In a container that has the host's file system somewhere: the host's driver, by the host's paths.
#pragma once

#include <string>

#include "platform/driver_files/host_root.h"
#include "result/result.h"

namespace warpshare::platform {

// Where to look; a test names its own places.
struct DriverSearch {
  std::string named_folder;  // WARPSHARE_DRIVER_DIR; empty: not set
  std::string library_path;  // LD_LIBRARY_PATH
  std::string loader_cache;
  std::string usual_folders;
  HostRoot host = {};  // whose paths all of these are

  // LD_LIBRARY_PATH is ours and means nothing on a host that is elsewhere.
  static DriverSearch FromEnvironment(const HostRoot& host = {});
};

struct DriverFiles {
  std::string folder;    // holds libcuda.so.1; absolute, the host's path
  std::string found_by;  // for people: "/etc/ld.so.cache"
};

Result<DriverFiles> FindDriver(const DriverSearch& search);

// Whether a file is one of our own libraries: they carry an ELF note of ours.
bool IsOurLibrary(const std::string& path);

}  // namespace warpshare::platform
