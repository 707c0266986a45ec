// Before a container starts: whose devices are these, what was that container given, is it right,
// and only then the limits page that lets it use a card. Whatever does not fit together keeps the
// container from starting, with a reason; nothing is guessed.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "node/device_plugin/assignment_source.h"
#include "node/device_plugin/card_view.h"
#include "node/device_plugin/grants.h"
#include "node/device_plugin/held_tenants.h"
#include "node/device_plugin/kubelet_record.h"
#include "node/tenancy/container_tenant.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/clock.h"
#include "platform/driver_files/host_root.h"
#include "policy/request/assignment.h"
#include "result/result.h"

namespace warpshare::node {

struct ContainerStartPorts {
  KubeletRecord& record;
  AssignmentSource& source;
  const CardView& cards;
  const TakenCards& taken;
  HeldTenants& held;
  platform::Clock& clock;
  platform::HostRoot host = {};  // whose paths the kubelet has of the driver's files
};

class ContainerStart {
 public:
  ContainerStart(StateDir state, std::string node_name, const ContainerStartPorts& ports)
      : state_(std::move(state)),
        grants_(std::move(node_name),
                {.source = ports.source, .cards = ports.cards, .taken = ports.taken}),
        ports_(ports) {}

  // All containers that have these devices, which is one, or init containers and one that comes
  // after them, or those of several pods (kubelet_record.h).
  Result<void> Prepare(const platform::DeviceIds& ids);

 private:
  std::vector<Result<void>> AwaitPods(const std::vector<DeviceOwner>& owners) const;
  Result<PodOnNode> FindPod(const DeviceOwner& owner) const;
  Result<PodOnNode> FindPodNow(const DeviceOwner& owner) const;
  Result<ContainerTenant> FindTenant(const DeviceOwner& owner, const platform::DeviceIds& ids,
                                     const std::vector<ContainerTenant>& tenants) const;
  // `heard`: of the pod, before the locks were taken.
  Result<void> PrepareOwner(const DeviceOwner& owner, const Result<void>& heard,
                            const platform::DeviceIds& ids);
  Result<void> FillAgain(const ContainerTenant& tenant);
  Result<void> Fill(const ContainerTenant& tenant, const request::ContainerGrant& grant);

  const StateDir state_;
  const Grants grants_;
  const ContainerStartPorts ports_;
  std::mutex deciding_;  // one at a time, so that two never get the same room
};

}  // namespace warpshare::node
