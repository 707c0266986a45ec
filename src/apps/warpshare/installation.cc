#include "apps/warpshare/installation.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "abi/names/env.h"

namespace warpshare::app {

Installation Installation::Find() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto libraries = program.parent_path().parent_path() / "lib";
  return {.interposer_folder = libraries / "warpshare",
          .simulator_folder = libraries / "simgpu",
          .program_folder = program.parent_path()};
}

Result<void> CheckInterposer(const Installation& installation) {
  for (const char* soname : {abi::kCudaSoname, abi::kNvmlSoname}) {
    const std::string path = installation.interposer_folder + "/" + soname;
    if (access(path.c_str(), R_OK) != 0)
      return Fail(Errc::kNotFound, "cannot read " + path + ": install warpshare again");
  }
  return {};
}

}  // namespace warpshare::app
