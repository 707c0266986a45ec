#include "node/device_plugin/limit_keeper.h"

#include <algorithm>
#include <set>

#include "node/device_plugin/lowered.h"
#include "node/tenancy/card_promises.h"
#include "platform/log_file/log_words.h"

namespace warpshare::node {

namespace {

// For what found no room, or was not written.
constexpr std::chrono::seconds kLookAgain{5};
// What is no assignment of the scheduler's is written over after this: the scheduler may be about
// to put it right, and knows better what is asked for.
constexpr std::chrono::seconds kPatience{10};

std::string NameOf(const PodOnNode& pod) {
  return pod.request.namespace_name + "/" + pod.request.pod_name;
}

void ForgetGone(auto& by_uid, const std::vector<PodOnNode>& pods) {
  std::set<std::string_view> uids;
  for (const PodOnNode& pod : pods) uids.insert(pod.request.pod_uid);
  std::erase_if(by_uid, [&](const auto& each) { return !uids.contains(each.first); });
}

}  // namespace

void LimitKeeper::Recover() {
  const auto lock = state_.Lock(ports_.clock);
  if (!lock) return;
  for (const ContainerTenant& tenant : ContainerTenants(state_)) {
    const auto assignment = request::DecodeAssignment(tenant.claim.assignment);
    if (assignment) (void)SetPage(tenant, *assignment);
  }
  SpreadStaticShares(state_);
}

void LimitKeeper::Look() {
  const uint64_t changes = ports_.source.changes();
  const auto now = ports_.clock.Now();
  if (changes == 0 || (changes == seen_ && now < next_)) return;
  seen_ = changes;
  next_ = now + kLookAgain;
  const auto pods = ports_.source.Pods();
  if (!pods) return;
  ForgetGone(troubles_, *pods);
  ForgetGone(written_, *pods);
  const auto lock = state_.Lock(ports_.clock);
  if (!lock) return;
  bool is_any_changed = false;
  Tenants tenants = ContainerTenants(state_);
  for (const PodOnNode& pod : *pods) {
    if (!LookAt(pod, tenants)) continue;
    is_any_changed = true;
    tenants = ContainerTenants(state_);
  }
  ForgetLowered(tenants);
  if (is_any_changed) SpreadStaticShares(state_);
}

bool LimitKeeper::LookAt(const PodOnNode& pod, const Tenants& tenants) {
  const std::string& uid = pod.request.pod_uid;
  const ContainerClaim* claim = FindClaim(uid, tenants);
  if (claim == nullptr) return false;
  if (pod.untrusted_assignment.empty()) {
    Write(pod, claim->assignment);
    return false;
  }
  const bool is_settled = std::ranges::none_of(tenants, [&](const ContainerTenant& tenant) {
    return tenant.claim.pod_uid == uid && tenant.claim.assignment != pod.untrusted_assignment;
  });
  if (is_settled) {
    troubles_.erase(uid);
    return false;
  }
  const auto given = grants_.FindChanged(pod, tenants);
  if (given) return Change(pod, *given, tenants);
  Refuse(pod, *claim, given.error());
  return false;
}

bool LimitKeeper::Change(const PodOnNode& pod, const Given& given, const Tenants& tenants) {
  for (ContainerTenant tenant : tenants) {
    if (tenant.claim.pod_uid != pod.request.pod_uid) continue;
    tenant.claim.lowered_from = LoweredFrom(tenant.claim, given.assignment);
    tenant.claim.assignment = given.text;
    if (auto changed = SetPage(tenant, given.assignment); !changed) {
      Refuse(pod, tenant.claim, changed.error());
      return true;
    }
  }
  troubles_.erase(pod.request.pod_uid);
  ports_.log.Line(platform::LogText("resized", {{"pod", NameOf(pod)}, {"assignment", given.text}}));
  return true;
}

Result<void> LimitKeeper::SetPage(const ContainerTenant& tenant,
                                  const request::Assignment& assignment) const {
  const request::ContainerGrant* grant = assignment.Find(tenant.claim.container);
  if (grant == nullptr) return Fail(Errc::kCorrupt, "a claim that contradicts itself");
  std::vector<platform::CardLimit> limits;
  for (const request::CardGrant& card : grant->cards) limits.push_back(LimitOf(card, {}));
  return ChangeContainerTenant(tenant, limits);
}

void LimitKeeper::Refuse(const PodOnNode& pod, const ContainerClaim& claim, const Error& error) {
  const auto now = ports_.clock.Now();
  Trouble& trouble = troubles_[pod.request.pod_uid];
  if (trouble.text != pod.untrusted_assignment)
    trouble = {.text = pod.untrusted_assignment, .message = "", .since = now};
  const bool may_come_true = error.code == Errc::kUnavailable;
  if (!may_come_true && now - trouble.since >= kPatience) return Write(pod, claim.assignment);
  if (trouble.message == error.message) return;
  trouble.message = error.message;
  ports_.log.Line(
      platform::LogText("not resized", {{"pod", NameOf(pod)}, {"reason", error.message}}));
  ports_.voice.Warn(pod, "ResizeRefused", "the containers keep what they have: " + error.message);
}

void LimitKeeper::Write(const PodOnNode& pod, const std::string& text) {
  const auto now = ports_.clock.Now();
  const Written written{.version = pod.version, .at = now};
  const auto [last, is_first] = written_.try_emplace(pod.request.pod_uid, written);
  if (!is_first && last->second.version == pod.version && now - last->second.at < kLookAgain)
    return;
  last->second = written;
  ports_.voice.WriteAssignment(pod, text);
}

void LimitKeeper::ForgetLowered(const Tenants& tenants) {
  for (const ContainerTenant& tenant : tenants) {
    if (tenant.claim.lowered_from.empty() || !IsUnderItsLimits(tenant)) continue;
    ContainerClaim claim = tenant.claim;
    claim.lowered_from.clear();
    (void)WriteClaim(ClaimPath(tenant.dir.path()), claim);
  }
}

}  // namespace warpshare::node
