#include "node/device_plugin/kubelet_record.h"

#include <algorithm>
#include <utility>

#include "abi/names/env.h"
#include "node/device_plugin/container_surroundings.h"

namespace warpshare::node {

namespace {

using platform::CheckpointEntry;
using platform::DeviceIds;
using platform::PodDevices;

std::string TenantSideOf(const CheckpointEntry& entry) {
  const auto mount = std::ranges::find(entry.edits.mounts, abi::kFixedTenantDir,
                                       &platform::MountEdit::container_path);
  return mount == entry.edits.mounts.end() ? "" : mount->host_path;
}

std::vector<std::string> DriverFilesOf(const CheckpointEntry& entry) {
  std::vector<std::string> files;
  for (const platform::MountEdit& mount : entry.edits.mounts)
    if (IsOfDriver(mount)) files.push_back(mount.host_path);
  return files;
}

DeviceIds Sorted(DeviceIds ids) {
  std::ranges::sort(ids);
  return ids;
}

std::vector<DeviceOwner> OwnersIn(const std::vector<CheckpointEntry>& entries,
                                  const DeviceIds& ids) {
  std::vector<DeviceOwner> owners;
  for (const CheckpointEntry& entry : entries)
    if (entry.ids == ids)
      owners.push_back({.container = entry.container,
                        .pod_uid = entry.pod_uid,
                        .tenant_side = TenantSideOf(entry),
                        .driver_files = DriverFilesOf(entry)});
  return owners;
}

std::vector<DeviceOwner> OwnersIn(const std::vector<PodDevices>& pods, const DeviceIds& ids) {
  std::vector<DeviceOwner> owners;
  for (const PodDevices& pod : pods)
    for (const platform::ContainerDevices& container : pod.containers)
      if (Sorted(container.ids) == ids)
        owners.push_back(
            {.container = container.container, .pod = PodName{pod.name_space, pod.name}});
  return owners;
}

Failure Contradiction(const std::string& what) {
  return Fail(Errc::kConflict, "the kubelet's checkpoint and its pod-resources disagree on " +
                                   what + ": restart the kubelet, then delete the pod");
}

// Names from pod-resources for those of the checkpoint.
Result<void> AddNames(const std::vector<DeviceOwner>& named, std::vector<DeviceOwner>& owners) {
  for (const DeviceOwner& name : named) {
    const auto same = std::ranges::find(owners, name.container, &DeviceOwner::container);
    if (same == owners.end())
      return Contradiction("who has the devices of '" + name.pod->name + "'");
    same->pod = name.pod;
  }
  return {};
}

bool AreOfOnePod(const std::vector<DeviceOwner>& owners) {
  return std::ranges::all_of(
      owners, [&](const DeviceOwner& owner) { return owner.pod_uid == owners.front().pod_uid; });
}

bool HaveFoldersOfTheirOwn(const std::vector<DeviceOwner>& owners) {
  std::set<std::string> folders;
  return std::ranges::all_of(owners, [&](const DeviceOwner& owner) {
    return !owner.tenant_side.empty() && folders.insert(owner.tenant_side).second;
  });
}

bool HaveOneName(const std::vector<DeviceOwner>& owners) {
  return std::ranges::all_of(
      owners, [&](const DeviceOwner& owner) { return owner.pod == owners.front().pod; });
}

Result<std::vector<DeviceOwner>> OfOnePod(const std::vector<DeviceOwner>& named,
                                          std::vector<DeviceOwner> owners) {
  if (!HaveOneName(named)) return Contradiction("one pod for the same devices");
  if (auto added = AddNames(named, owners); !added) return Forward(added);
  if (owners.empty())
    return Fail(Errc::kNotFound, "the kubelet does not say whose devices these are");
  return owners;
}

// The checkpoint keeps pods that are gone until devices are given out again.
Result<std::vector<DeviceOwner>> OfSeveralPods(const std::vector<DeviceOwner>& named,
                                               bool is_listed, std::vector<DeviceOwner> owners) {
  if (!HaveFoldersOfTheirOwn(owners)) return Contradiction("one pod for the same devices");
  std::set<std::optional<PodName>> names;
  for (const DeviceOwner& owner : named) names.insert(owner.pod);
  std::set<std::string> uids;
  for (const DeviceOwner& owner : owners) uids.insert(owner.pod_uid);
  for (DeviceOwner& owner : owners) owner.may_be_gone = is_listed && names.size() < uids.size();
  return owners;
}

}  // namespace

// Whoever comes while a List runs waits for the next one, which begins after all of them came.
KubeletRecord::PodList KubeletRecord::ListPods() {
  uint64_t enough = 0;
  {
    const std::scoped_lock held(number_);
    enough = lists_begun_ + 1;
  }
  const std::scoped_lock asking(asking_);
  if (last_number_ < enough) {
    uint64_t number = 0;
    {
      const std::scoped_lock held(number_);
      number = ++lists_begun_;
    }
    last_list_ = pod_resources_.List();
    last_number_ = number;
  }
  return last_list_;
}

Result<std::vector<DeviceOwner>> KubeletRecord::OwnersOf(const DeviceIds& unsorted) {
  const DeviceIds ids = Sorted(unsorted);
  // In this order: who is in the list was in the checkpoint before.
  const PodList pods = ListPods();
  const auto entries = platform::ReadCheckpoint(checkpoint_path_, resource_name_);
  if (!pods && !entries)
    return Fail(Errc::kUnavailable,
                pods.error().message + ", and its checkpoint: " + entries.error().message);
  std::vector<DeviceOwner> named;
  if (pods) named = OwnersIn(*pods, ids);
  if (!entries) return OfOnePod(named, named);
  std::vector<DeviceOwner> owners = OwnersIn(*entries, ids);
  return AreOfOnePod(owners) ? OfOnePod(named, std::move(owners))
                             : OfSeveralPods(named, pods.has_value(), std::move(owners));
}

Result<RecordedUse> KubeletRecord::Use() {
  const PodList pods = ListPods();
  if (!pods) return Fail(pods.error());
  const auto entries = platform::ReadCheckpoint(checkpoint_path_, resource_name_);
  if (!entries) return Fail(entries.error());
  RecordedUse use;
  for (const PodDevices& pod : *pods) use.pods.insert({pod.name_space, pod.name});
  for (const CheckpointEntry& entry : *entries)
    for (const platform::MountEdit& mount : entry.edits.mounts)
      use.host_paths.insert(mount.host_path);
  return use;
}

}  // namespace warpshare::node
