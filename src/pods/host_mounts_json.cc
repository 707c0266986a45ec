#include "pods/host_mounts_json.h"

#include <map>
#include <string>
#include <string_view>

namespace warpshare::pods {

namespace {

using HostPaths = std::map<std::string_view, std::string_view>;  // volume -> path

HostPaths HostPathsOf(json::View spec) {
  HostPaths paths;
  for (const json::View volume : spec["volumes"].items())
    if (volume["hostPath"].kind() == json::Kind::kObject)
      paths.emplace(volume["name"].StringOr(""), volume["hostPath"]["path"].StringOr(""));
  return paths;
}

// Without what `subPathExpr` makes of the environment: the whole volume may be meant.
std::string PathOf(std::string_view volume, json::View mount) {
  const std::string_view below = mount["subPath"].StringOr("");
  return std::string(volume).append(below.empty() ? "" : "/").append(below);
}

void AddMounts(json::View container, const HostPaths& paths,
               std::vector<admit::HostMount>& mounts) {
  for (const json::View mount : container["volumeMounts"].items()) {
    const auto path = paths.find(mount["name"].StringOr(""));
    if (path == paths.end()) continue;
    const bool is_read_only = mount["readOnly"].BooleanOr(false);
    mounts.push_back({.container = std::string(container["name"].StringOr("")),
                      .path = PathOf(path->second, mount),
                      .is_read_only = is_read_only,
                      .is_read_only_below =
                          is_read_only && mount["recursiveReadOnly"].StringOr("") == "Enabled"});
  }
}

}  // namespace

std::vector<admit::HostMount> HostMountsOf(json::View pod) {
  const json::View spec = pod["spec"];
  const HostPaths paths = HostPathsOf(spec);
  std::vector<admit::HostMount> mounts;
  if (paths.empty()) return mounts;
  for (const char* kind : {"initContainers", "containers"})
    for (const json::View container : spec[kind].items()) AddMounts(container, paths, mounts);
  return mounts;
}

}  // namespace warpshare::pods
