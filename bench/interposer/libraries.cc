#include "bench/interposer/libraries.h"

#include <filesystem>

namespace warpshare::bench {

namespace {

std::string LibraryFolder(const char* name) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "lib" / name;
}

}  // namespace

std::string InterposerFolder() { return LibraryFolder("warpshare"); }
std::string SimgpuFolder() { return LibraryFolder("simgpu"); }
std::string EmptyFolder() { return LibraryFolder("bench_empty"); }
std::string NullDriverFolder() { return LibraryFolder("bench_null_driver"); }
std::string ColdDriverFolder() { return LibraryFolder("bench_cold_driver"); }

}  // namespace warpshare::bench
