#include "node/device_plugin/lingering.h"

#include <algorithm>
#include <set>

#include "node/device_plugin/lowered.h"
#include "node/tenancy/container_tenant.h"
#include "node/tenancy/presence.h"
#include "policy/request/assignment.h"

namespace warpshare::node {

namespace {

using request::Assignment;
using request::CardGrant;
using request::ContainerGrant;

ContainerGrant& OfPod(const std::string& uid, Assignment& all) {
  const auto found = std::ranges::find(all.containers, uid, &ContainerGrant::container);
  if (found != all.containers.end()) return *found;
  return all.containers.emplace_back(ContainerGrant{.container = uid, .cards = {}});
}

// Amounts alone matter to who counts them.
CardGrant Sum(const CardGrant& left, const CardGrant& right) {
  CardGrant sum{
      .uuid = left.uuid,
      .memory = Bytes(left.memory.count() + right.memory.count()),
      .cores_percent = std::min(left.cores_percent + right.cores_percent, request::kWholeCardCores),
      .whole = left.whole || right.whole,
      .compute = {}};
  if (sum.cores_percent != 0) sum.compute.mode = share::Mode::kHard;
  return sum;
}

void AddContainer(const ContainerTenant& tenant, Assignment& all) {
  auto assignment = request::DecodeAssignment(tenant.claim.assignment);
  if (!assignment) return;
  CountUseAbove(tenant.claim.pod_uid, {tenant}, *assignment);
  const ContainerGrant* grant = assignment->Find(tenant.claim.container);
  if (grant == nullptr) return;
  std::vector<CardGrant>& cards = OfPod(tenant.claim.pod_uid, all).cards;
  for (const CardGrant& card : grant->cards) {
    const auto same = std::ranges::find(cards, card.uuid, &CardGrant::uuid);
    if (same == cards.end())
      cards.push_back(Sum(card, {.uuid = card.uuid, .compute = {}}));
    else
      *same = Sum(*same, card);
  }
}

}  // namespace

void Lingering::Look(AssignmentSource& source) {
  if (source.changes() == 0) return;
  const auto pods = source.Pods();
  if (!pods) return;
  std::set<std::string_view> there;
  for (const PodOnNode& pod : *pods) there.insert(pod.request.pod_uid);
  Assignment all{.node = node_name_, .containers = {}};
  for (const ContainerTenant& tenant : ContainerTenants(state_)) {
    const std::string& uid = tenant.claim.pod_uid;
    if (!uid.empty() && !there.contains(uid) && HasProcesses(tenant.dir)) AddContainer(tenant, all);
  }
  const std::scoped_lock held(mutex_);
  text_ = request::Encode(all);
}

std::string Lingering::Text() const {
  const std::scoped_lock held(mutex_);
  return text_;
}

}  // namespace warpshare::node
