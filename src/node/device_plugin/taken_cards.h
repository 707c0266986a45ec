// Cards of this node that another device plugin, NVIDIA's, gave to containers (nvidia.com/gpu), by
// the kubelet's own word. Such a container has its card whole, and nobody holds it to anything; so
// we give that card to nobody, and announce it (node/cluster_link), so that the scheduler does not
// either. Usually there are none.
//
// Threads: Look from one, the others from any.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "node/device_plugin/card_view.h"
#include "node/device_plugin/holders.h"
#include "platform/kubelet/pod_resources.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

struct TakenCard {
  GpuUuid uuid;
  Bytes memory;                   // all of it
  std::vector<std::string> pods;  // "namespace/name"; several where the plugin slices time

  bool operator==(const TakenCard&) const = default;
};

// The card of a device as plugins name them: its uuid, or "0", the driver's index, or "nvidia0", of
// its device node; "::1" or "/vgpu1" after that says which replica. None: no card of ours.
std::optional<GpuUuid> CardOfDevice(std::string_view device_id,
                                    const std::vector<CardState>& cards);

class TakenCards {
 public:
  // `pod_resources` tells of nvidia.com/gpu. `cards` and `log` outlive this.
  TakenCards(std::unique_ptr<platform::PodResources> pod_resources, std::string node_name,
             const CardView& cards, platform::Log& log)
      : pod_resources_(std::move(pod_resources)),
        node_name_(std::move(node_name)),
        cards_(cards),
        log_(log) {}

  // Asks the kubelet once. False: it does not answer, and what it said last stands.
  bool Look();

  // By uuid.
  std::vector<TakenCard> Now() const;
  // Why nobody can have that card; empty: it is not taken.
  std::string WhoHas(const GpuUuid& uuid) const;
  // As one more holder on the node's ledger. None: no card is taken.
  std::optional<Holder> AsHolder() const;
  // As an assignment (policy/request/assignment.h). Empty: nobody knows yet.
  std::string Text() const;

 private:
  request::Assignment Assignment() const;
  void LogUnknown(std::vector<std::string> unknown);

  const std::unique_ptr<platform::PodResources> pod_resources_;
  const std::string node_name_;
  const CardView& cards_;
  platform::Log& log_;
  std::vector<std::string> unknown_;  // devices of no card of ours, as they were logged last
  mutable std::mutex mutex_;
  std::vector<TakenCard> taken_;
  bool is_known_ = false;
};

}  // namespace warpshare::node
