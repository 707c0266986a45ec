#include "platform/driver_files/driver_share.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace warpshare::platform {

namespace {

namespace fs = std::filesystem;

// Of the driver's libraries, what programs of CUDA load, directly or through others. The last ones
// carry the driver's version in their names.
constexpr const char* kLibraries[] = {
    "libcuda.so.1",         "libnvidia-ml.so.1",     "libnvidia-ptxjitcompiler.so.1",
    "libcudadebugger.so.1", "libnvidia-nvvm.so.4",   "libnvidia-opencl.so.1",
    "libnvcuvid.so.1",      "libnvidia-encode.so.1", "libnvidia-pkcs11-openssl3.so.",
    "libnvidia-gpucomp.so."};

struct CommonNode {
  const char* path;
  bool is_needed;
};
constexpr CommonNode kCommonNodes[] = {
    {"/dev/nvidiactl", true}, {"/dev/nvidia-uvm", true}, {"/dev/nvidia-uvm-tools", false}};

bool IsShared(const std::string& name) {
  return std::ranges::any_of(kLibraries, [&name](std::string_view library) {
    return name == library || (library.back() == '.' && name.starts_with(library));
  });
}

}  // namespace

Result<std::vector<std::string>> DriverFilesIn(const HostRoot& host, const std::string& folder) {
  const auto here = host.Find(folder);
  if (!here) return Fail(here.error());
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(*here, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const std::string path = fs::path(folder) / name;
    if (IsShared(name) && host.Find(path)) files.push_back(path);
  }
  if (error) return Fail(SystemError("cannot list " + *here, error.value()));
  std::ranges::sort(files);
  return files;
}

Result<DriverShare> ShareOfDriver(const HostRoot& host, const std::string& folder,
                                  const std::vector<uint32_t>& minors) {
  auto files = DriverFilesIn(host, folder);
  if (!files) return Forward(files);
  DriverShare share{.files = std::move(*files), .nodes = {}};
  for (const uint32_t minor : minors) share.nodes.push_back("/dev/nvidia" + std::to_string(minor));
  for (const CommonNode& node : kCommonNodes)
    if (node.is_needed || host.Find(node.path)) share.nodes.emplace_back(node.path);
  for (const std::string& node : share.nodes)
    if (!host.Find(node))
      return Fail(Errc::kNotFound,
                  "there is no " + node + " on the host: run there: nvidia-modprobe -c 0 -u");
  return share;
}

}  // namespace warpshare::platform
