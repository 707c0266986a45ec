#include "node/device_plugin/plugin_handler.h"

#include <algorithm>
#include <set>

#include "node/device_plugin/device_slots.h"
#include "platform/log_file/log_words.h"
#include "policy/request/assignment.h"

namespace warpshare::node {

namespace {

using platform::DeviceIds;

std::string ListOf(const DeviceIds& ids) {
  std::string list;
  for (const std::string& id : ids) list += (list.empty() ? "" : ",") + id;
  return list;
}

}  // namespace

// Of a pod that is bound here and has not started. Another one may be meant; then the devices'
// names say other cards than the container uses, and nothing else is wrong.
std::vector<GpuUuid> PluginHandler::CardsExpected(size_t count) const {
  const auto pods = ports_.source.Pods();
  if (!pods) return {};
  std::set<std::string> started;
  for (const ContainerTenant& tenant : ContainerTenants(state_))
    started.insert(tenant.claim.pod_uid);
  for (const PodOnNode& pod : *pods) {
    if (started.contains(pod.request.pod_uid)) continue;
    const auto assignment = request::DecodeAssignment(pod.untrusted_assignment);
    if (!assignment) continue;
    for (const request::ContainerGrant& grant : assignment->containers) {
      if (grant.cards.size() != count) continue;
      std::vector<GpuUuid> cards;
      for (const request::CardGrant& card : grant.cards) cards.push_back(card.uuid);
      return cards;
    }
  }
  return {};
}

DeviceIds PluginHandler::Prefer(const platform::DeviceChoice& choice) {
  return PreferSlots(choice, CardsExpected(choice.size));
}

Result<platform::ContainerEdits> PluginHandler::Allocate(const DeviceIds& unsorted) {
  DeviceIds ids = unsorted;
  std::ranges::sort(ids);
  const auto surroundings = WithDriverNow(surroundings_);
  if (!surroundings) return Fail(surroundings.error());
  const auto lock = state_.Lock(ports_.clock);
  if (!lock) return Fail(lock.error());
  const auto tenant = MakeContainerTenant(state_, ids);
  if (!tenant) return Fail(tenant.error());
  ports_.log.Line(
      platform::LogText("allocated", {{"devices", ListOf(ids)}, {"folder", tenant->path()}}));
  return EditsFor(*surroundings, tenant->tenant_side());
}

Result<void> PluginHandler::BeforeStart(const DeviceIds& ids) {
  auto prepared = ports_.starts.Prepare(ids);
  ports_.readiness.CountStart(prepared.has_value());
  if (prepared)
    ports_.log.Line(platform::LogText("may start", {{"devices", ListOf(ids)}}));
  else
    ports_.log.Line(platform::LogText("may not start",
                                      {{"devices", ListOf(ids)}, {"reason", prepared.error()}}));
  return prepared;
}

}  // namespace warpshare::node
