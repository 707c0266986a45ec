#include "cluster/quota/quota_book.h"

#include <algorithm>
#include <set>
#include <utility>

#include "policy/request/model_match.h"

namespace warpshare::quota {

namespace {

using admit::AmountByModel;
using admit::LimitByModel;

// The amounts under the operator's words for models: "A100" has what is on any kind of A100. The
// empty word is everything.
AmountByModel UnderWordsOf(const LimitByModel& limits, const AmountByModel& amounts) {
  AmountByModel sums;
  for (const auto& [word, limit] : limits) {
    for (const auto& [model, amount] : amounts) {
      const bool counts =
          word.empty() ? model.empty() : request::IsModel(model, word, request::ModelMatch::kWords);
      if (counts) sums[word] = Sum(sums[word], amount);
    }
  }
  return sums;
}

// A namespace is kept out of what counts for all others by a text that limits nothing.
bool IsAnything(const LimitByModel& limits) {
  return std::ranges::any_of(limits, [](const auto& each) {
    const admit::Limit& limit = each.second;
    return limit.cards || limit.memory || limit.cores_percent;
  });
}

}  // namespace

void QuotaBook::SetQuotas(Quotas quotas) {
  quotas_ = std::move(quotas);
  ++changes_;
}

std::optional<Error> QuotaBook::Check(const std::string& space, const AmountByModel& wanted) const {
  return CheckAgainst(space, Used(space), wanted);
}

std::optional<Error> QuotaBook::CheckWithout(const std::unordered_set<std::string>& pod_uids,
                                             const std::string& space,
                                             const AmountByModel& wanted) const {
  AmountByModel used = Used(space);
  for (const std::string& uid : pod_uids) {
    const auto held = by_pod_.find(uid);
    if (held != by_pod_.end() && held->second.space == space)
      used = Difference(used, held->second.amount);
  }
  return CheckAgainst(space, used, wanted);
}

QuotaBook::Limitation QuotaBook::FindLimits(const std::string& space) const {
  if (!quotas_) return nullptr;
  auto found = quotas_->find(space);
  if (found == quotas_->end()) found = quotas_->find(kOtherNamespaces);
  return found == quotas_->end() ? nullptr : &found->second;
}

bool QuotaBook::Limits(const std::string& space) const {
  if (!quotas_) return true;
  const Limitation limits = FindLimits(space);
  return limits != nullptr && (!*limits || IsAnything(**limits));
}

std::optional<Error> QuotaBook::CheckAgainst(const std::string& space, const AmountByModel& used,
                                             const AmountByModel& wanted) const {
  if (!quotas_) return Error{Errc::kUnavailable, "quota: not read yet: try again"};
  const Limitation limits = FindLimits(space);
  if (limits == nullptr) return std::nullopt;
  if (!*limits)
    return Error{Errc::kInvalid, "quota: that of namespace " + space + " cannot be read: " +
                                     limits->error().message + " (tell who runs the cluster)"};
  return admit::Exceeds(**limits, UnderWordsOf(**limits, used), UnderWordsOf(**limits, wanted));
}

Result<void> QuotaBook::Reserve(const std::string& space, const std::string& pod_uid,
                                const AmountByModel& amount) {
  if (auto error = CheckWithout({pod_uid}, space, amount)) return Fail(std::move(*error));
  Count(space, pod_uid, amount);
  return {};
}

void QuotaBook::Count(const std::string& space, const std::string& pod_uid, AmountByModel amount) {
  Release(pod_uid);
  AmountByModel& sum = by_space_[space];
  sum = Sum(sum, amount);
  by_pod_[pod_uid] = {space, std::move(amount)};
}

void QuotaBook::CountAgain(const std::string& pod_uid, AmountByModel amount) {
  const auto held = by_pod_.find(pod_uid);
  if (held == by_pod_.end()) return;
  const std::string space = held->second.space;
  Count(space, pod_uid, std::move(amount));
}

void QuotaBook::Release(const std::string& pod_uid) {
  const auto held = by_pod_.find(pod_uid);
  if (held == by_pod_.end()) return;
  const Holding former = std::move(held->second);
  by_pod_.erase(held);
  const auto sum = by_space_.find(former.space);
  sum->second =
      admit::IsFull(sum->second) ? CountAnew(former.space) : Difference(sum->second, former.amount);
  if (sum->second[""] == admit::Amount{}) by_space_.erase(sum);
}

AmountByModel QuotaBook::CountAnew(const std::string& space) const {
  AmountByModel sum;
  for (const auto& [uid, holding] : by_pod_)
    if (holding.space == space) sum = Sum(sum, holding.amount);
  return sum;
}

std::vector<QuotaBook::Standing> QuotaBook::Standings() const {
  std::set<std::string> spaces;
  if (quotas_)
    for (const auto& [space, limits] : *quotas_)
      if (space != kOtherNamespaces) spaces.insert(space);
  for (const auto& [space, used] : by_space_) spaces.insert(space);
  std::vector<Standing> standings;
  for (const std::string& space : spaces) {
    const Limitation limits = FindLimits(space);
    if (limits == nullptr || !*limits) continue;
    AmountByModel used = UnderWordsOf(**limits, Used(space));
    for (const auto& [model, limit] : **limits)
      standings.push_back({.space = space, .model = model, .limit = limit, .used = used[model]});
  }
  return standings;
}

AmountByModel QuotaBook::Used(const std::string& space) const {
  const auto sum = by_space_.find(space);
  return sum == by_space_.end() ? AmountByModel{} : sum->second;
}

}  // namespace warpshare::quota
