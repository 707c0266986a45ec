#include "platform/driver_files/host_root.h"

#include <cerrno>
#include <deque>
#include <filesystem>
#include <system_error>

namespace warpshare::platform {

namespace {

namespace fs = std::filesystem;

// As the kernel's own limit.
constexpr int kMostLinks = 40;

void PutInFront(std::deque<fs::path>& names, const fs::path& path) {
  names.insert(names.begin(), path.begin(), path.end());
}

}  // namespace

HostRoot::HostRoot(const std::string& mount_point) : mount_point_(mount_point) {
  while (mount_point_.ends_with('/')) mount_point_.pop_back();
}

Result<std::string> HostRoot::Find(const std::string& host_path) const {
  std::deque<fs::path> names;
  PutInFront(names, fs::path(host_path).lexically_normal());
  fs::path found = "/";  // of the host
  int links = 0;
  while (!names.empty()) {
    const fs::path name = names.front();
    names.pop_front();
    if (name.is_absolute()) {
      found = "/";
      continue;
    }
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      found = found.parent_path();
      continue;
    }
    std::error_code error;
    const fs::path next = found / name;
    const fs::path here = mount_point_ + next.string();
    const fs::file_type type = fs::symlink_status(here, error).type();
    if (type == fs::file_type::not_found || type == fs::file_type::none)
      return Fail(Errc::kNotFound, "there is no " + host_path + " on the host");
    if (type != fs::file_type::symlink) {
      found = next;
      continue;
    }
    if (++links > kMostLinks)
      return Fail(SystemError("cannot follow the links of " + host_path, ELOOP));
    const fs::path target = fs::read_symlink(here, error);
    if (error) return Fail(SystemError("cannot read the link " + here.string(), error.value()));
    PutInFront(names, target);
  }
  return mount_point_ + found.string();
}

}  // namespace warpshare::platform
