#include "cluster/quota/quota_book.h"

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

}  // namespace

void QuotaBook::SetQuotas(Quotas quotas) { quotas_ = std::move(quotas); }

std::optional<Error> QuotaBook::Check(const std::string& space, const AmountByModel& wanted) const {
  return CheckAgainst(space, Used(space), wanted);
}

std::optional<Error> QuotaBook::CheckAgainst(const std::string& space, const AmountByModel& used,
                                             const AmountByModel& wanted) const {
  if (!quotas_) return Error{Errc::kUnavailable, "quota: not read yet: try again"};
  auto found = quotas_->find(space);
  if (found == quotas_->end()) found = quotas_->find(kOtherNamespaces);
  if (found == quotas_->end()) return std::nullopt;
  const auto& limits = found->second;
  if (!limits)
    return Error{Errc::kInvalid, "quota: that of namespace " + space + " cannot be read: " +
                                     limits.error().message + " (tell who runs the cluster)"};
  return admit::Exceeds(*limits, UnderWordsOf(*limits, used), UnderWordsOf(*limits, wanted));
}

Result<void> QuotaBook::Reserve(const std::string& space, const std::string& pod_uid,
                                const AmountByModel& amount) {
  AmountByModel others = Used(space);
  const auto held = by_pod_.find(pod_uid);
  if (held != by_pod_.end() && held->second.space == space)
    others = Difference(others, held->second.amount);
  if (auto error = CheckAgainst(space, others, amount)) return Fail(std::move(*error));
  Count(space, pod_uid, amount);
  return {};
}

void QuotaBook::Count(const std::string& space, const std::string& pod_uid, AmountByModel amount) {
  Release(pod_uid);
  AmountByModel& sum = by_space_[space];
  sum = Sum(sum, amount);
  by_pod_[pod_uid] = {space, std::move(amount)};
}

void QuotaBook::Release(const std::string& pod_uid) {
  const auto held = by_pod_.find(pod_uid);
  if (held == by_pod_.end()) return;
  const auto sum = by_space_.find(held->second.space);
  sum->second = Difference(sum->second, held->second.amount);
  if (sum->second[""] == admit::Amount{}) by_space_.erase(sum);
  by_pod_.erase(held);
}

AmountByModel QuotaBook::Used(const std::string& space) const {
  const auto sum = by_space_.find(space);
  return sum == by_space_.end() ? AmountByModel{} : sum->second;
}

}  // namespace warpshare::quota
