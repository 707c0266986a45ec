#include "node/device_plugin/cdi_spec.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "platform/descriptor/descriptor.h"
#include "platform/json/writer.h"

namespace warpshare::node {

namespace {

constexpr char kVersion[] = "0.5.0";
constexpr char kKind[] = "warpshare.io/driver";
constexpr char kName[] = "all";
constexpr char kFile[] = "warpshare.io-driver.json";

void WriteMounts(json::Writer& text, const platform::ContainerEdits& edits) {
  text.Key("mounts").BeginArray();
  for (const platform::MountEdit& mount : edits.mounts) {
    text.BeginObject();
    text.Member("hostPath", mount.host_path).Member("containerPath", mount.container_path);
    text.Key("options").BeginArray();
    text.String(mount.read_only ? "ro" : "rw");
    for (const char* option : {"nosuid", "nodev", "rbind", "rprivate"}) text.String(option);
    text.EndArray().EndObject();
  }
  text.EndArray();
}

void WriteDeviceNodes(json::Writer& text, const platform::ContainerEdits& edits) {
  text.Key("deviceNodes").BeginArray();
  for (const platform::DeviceNodeEdit& node : edits.device_nodes) {
    text.BeginObject();
    text.Member("path", node.container_path).Member("hostPath", node.host_path);
    text.Member("permissions", node.permissions).EndObject();
  }
  text.EndArray();
}

}  // namespace

std::string CdiSpec(const platform::ContainerEdits& edits) {
  json::Writer text;
  text.BeginObject().Member("cdiVersion", kVersion).Member("kind", kKind);
  text.Key("devices").BeginArray().BeginObject().Member("name", kName);
  text.Key("containerEdits").BeginObject().Key("env").BeginArray();
  for (const auto& [name, value] : edits.environment) text.String(name + "=" + value);
  text.EndArray();
  WriteDeviceNodes(text, edits);
  WriteMounts(text, edits);
  return text.EndObject().EndObject().EndArray().EndObject().Take();
}

Result<void> WriteCdiSpec(const std::string& folder, const platform::ContainerEdits& edits) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Fail(SystemError("cannot make " + folder, error.value()));
  return platform::ReplaceFile(folder + "/" + kFile, CdiSpec(edits),
                               0644);  // no runtime reads .new
}

}  // namespace warpshare::node
