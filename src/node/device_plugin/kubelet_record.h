// Who has which devices, from the kubelet's own mouth: two sources that must not contradict each
// other (platform/kubelet/{pod_resources,checkpoint}.h), either of which may be missing.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/kubelet/checkpoint.h"
#include "platform/kubelet/pod_resources.h"
#include "result/result.h"

namespace warpshare::node {

struct PodName {
  std::string name_space;
  std::string name;

  auto operator<=>(const PodName&) const = default;
};

// A container that has the devices. At least one of `pod_uid` and `pod` is there.
struct DeviceOwner {
  std::string container;
  std::string pod_uid = {};         // empty: the checkpoint does not have it
  std::optional<PodName> pod = {};  // none: an init container, or pod-resources does not answer
  std::string tenant_side = {};     // as Allocate answered; empty: the checkpoint does not have it
  std::vector<std::string> driver_files = {};  // of the host, in the same answer
  bool may_be_gone = false;                    // pod-resources lists fewer pods with the devices

  bool operator==(const DeviceOwner&) const = default;
};

// What stands in the record now, for whoever gives back what is gone.
struct RecordedUse {
  std::set<PodName> pods;            // that have not ended
  std::set<std::string> host_paths;  // that containers were told of
};

class KubeletRecord {
 public:
  KubeletRecord(platform::PodResources& pod_resources, std::string checkpoint_path,
                std::string resource_name)
      : pod_resources_(pod_resources),
        checkpoint_path_(std::move(checkpoint_path)),
        resource_name_(std::move(resource_name)) {}

  // The containers that have exactly these devices: several if init containers left theirs to
  // others, and of several pods if the kubelet gave the devices out twice. It may, when it strikes
  // out pods that ended while it waits for an Allocate; each of these containers names its own
  // folder, so that nobody gets another's. kNotFound: nobody has them. kConflict: the sources
  // contradict each other. kUnavailable: neither can be read. From any thread; many callers at once
  // ask the kubelet once.
  Result<std::vector<DeviceOwner>> OwnersOf(const platform::DeviceIds& ids);

  // Only if both sources answer.
  Result<RecordedUse> Use();

 private:
  using PodList = Result<std::vector<platform::PodDevices>>;
  PodList ListPods();

  platform::PodResources& pod_resources_;
  const std::string checkpoint_path_;
  const std::string resource_name_;
  std::mutex asking_;         // one List at a time
  uint64_t lists_begun_ = 0;  // under number_
  PodList last_list_;         // answer of the List `last_number_`; under asking_
  uint64_t last_number_ = 0;
  std::mutex number_;
};

}  // namespace warpshare::node
