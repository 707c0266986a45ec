#include "platform/kubelet/checkpoint.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>

#include "platform/descriptor/descriptor.h"
#include "platform/kubelet/proto/checkpoint.pb.h"
#include "platform/kubelet/wire.h"

namespace warpshare::platform {

namespace {

namespace pb = google::protobuf;
using warpshare::kubelet_checkpoint::PodDevicesEntry;

// 110 pods of some containers each make a few hundred KiB.
constexpr size_t kMostBytes = 64 << 20;

Failure Corrupt(const std::string& what) {
  return Fail(Errc::kCorrupt, "the kubelet's checkpoint: " + what);
}

Result<CheckpointEntry> EntryOf(const PodDevicesEntry& wire) {
  CheckpointEntry entry{
      .pod_uid = wire.poduid(), .container = wire.containername(), .ids = {}, .edits = {}};
  if (entry.pod_uid.empty() || entry.container.empty())
    return Corrupt("an entry without pod or container");
  for (const auto& [numa_node, ids] : wire.deviceids())
    for (const pb::Value& id : ids.values()) {
      if (id.kind_case() != pb::Value::kStringValue) return Corrupt("a device that is no text");
      entry.ids.push_back(id.string_value());
    }
  // A device of two NUMA nodes stands at both.
  std::ranges::sort(entry.ids);
  const auto twice = std::ranges::unique(entry.ids);
  entry.ids.erase(twice.begin(), twice.end());
  v1beta1::ContainerAllocateResponse answered;
  if (!answered.ParseFromString(wire.allocresp()))
    return Corrupt("what was answered to Allocate for " + entry.pod_uid);
  entry.edits = kubelet::FromWire(answered);
  return entry;
}

}  // namespace

std::string CheckpointPath(const std::string& plugins_folder) {
  return plugins_folder + "/kubelet_internal_checkpoint";
}

Result<std::vector<CheckpointEntry>> ParseCheckpoint(std::string_view text,
                                                     const std::string& resource_name) {
  warpshare::kubelet_checkpoint::Checkpoint wire;
  pb::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const auto parsed =
      pb::util::JsonStringToMessage(pb::StringPiece(text.data(), text.size()), &wire, options);
  if (!parsed.ok()) return Corrupt("no JSON of the form that this version knows");
  if (!wire.has_data()) return Corrupt("no data in it");
  std::vector<CheckpointEntry> entries;
  for (const PodDevicesEntry& each : wire.data().poddeviceentries()) {
    if (each.resourcename() != resource_name) continue;
    auto entry = EntryOf(each);
    if (!entry) return Forward(entry);
    entries.push_back(std::move(*entry));
  }
  return entries;
}

Result<std::vector<CheckpointEntry>> ReadCheckpoint(const std::string& path,
                                                    const std::string& resource_name) {
  const auto text = ReadWholeFile(path, kMostBytes);
  if (!text) return Fail(text.error());
  return ParseCheckpoint(*text, resource_name);
}

}  // namespace warpshare::platform
