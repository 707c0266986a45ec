#include "node/device_plugin/lowered.h"

#include <algorithm>

#include "node/tenancy/tenant_report.h"

namespace warpshare::node {

namespace {

using request::Assignment;
using request::CardGrant;
using request::ContainerGrant;

// Of an assignment, or of one that may be changed.
auto FindCard(auto& assignment, const std::string& container, const GpuUuid& uuid)
    -> decltype(&assignment.containers.front().cards.front()) {
  for (auto& grant : assignment.containers)
    if (grant.container == container)
      for (auto& card : grant.cards)
        if (card.uuid == uuid) return &card;
  return nullptr;
}

void CountUseOf(const ContainerTenant& tenant, Assignment& assignment) {
  const auto had = request::DecodeAssignment(tenant.claim.lowered_from);
  const auto report = ReportTenant(tenant.dir, tenant.name);
  if (!had || !report) return;
  for (const CardReport& card : report->cards) {
    CardGrant* now = FindCard(assignment, tenant.claim.container, card.uuid);
    const CardGrant* before = FindCard(*had, tenant.claim.container, card.uuid);
    if (now == nullptr || before == nullptr) continue;
    // Its own word on what it uses cannot take more of the card than it once had.
    now->memory = std::max(now->memory, std::min(card.used, before->memory));
  }
}

bool HasLess(const Assignment& after, const Assignment& before) {
  for (const ContainerGrant& grant : before.containers)
    for (const CardGrant& card : grant.cards) {
      const CardGrant* now = FindCard(after, grant.container, card.uuid);
      if (now == nullptr || now->memory < card.memory) return true;
    }
  return false;
}

}  // namespace

void CountUseAbove(const std::string& pod_uid, const std::vector<ContainerTenant>& tenants,
                   Assignment& assignment) {
  for (const ContainerTenant& tenant : tenants)
    if (tenant.claim.pod_uid == pod_uid && !tenant.claim.lowered_from.empty())
      CountUseOf(tenant, assignment);
}

std::string LoweredFrom(const ContainerClaim& claim, const Assignment& after) {
  // The most that it may still use: from before the first of several steps down.
  for (const std::string& text : {claim.lowered_from, claim.assignment}) {
    const auto before = request::DecodeAssignment(text);
    if (before && HasLess(after, *before)) return text;
  }
  return "";
}

bool IsUnderItsLimits(const ContainerTenant& tenant) {
  const auto report = ReportTenant(tenant.dir, tenant.name);
  return report && std::ranges::none_of(report->cards, [](const CardReport& card) {
           return card.limit && card.used > *card.limit;
         });
}

}  // namespace warpshare::node
