#include "policy/admit/quota.h"

#include <algorithm>
#include <vector>

namespace warpshare::admit {

namespace {

using request::ContainerKind;

uint64_t Add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

uint64_t Subtract(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

Amount Larger(const Amount& a, const Amount& b) {
  return {.cards = std::max(a.cards, b.cards),
          .memory = std::max(a.memory, b.memory),
          .cores_percent = std::max(a.cores_percent, b.cores_percent)};
}

Amount Times(const Amount& amount, uint64_t count) {
  Amount sum;
  for (uint64_t i = 0; i < count; ++i) sum = Sum(sum, amount);
  return sum;
}

template <typename Combine>
AmountByModel Merge(AmountByModel a, const AmountByModel& b, Combine combine) {
  for (const auto& [model, amount] : b) a[model] = combine(a[model], amount);
  return a;
}

// The peak over the containers, taken in their order.
class Peak {
 public:
  void Add(ContainerKind kind, const AmountByModel& amount) {
    if (kind == ContainerKind::kInit) {
      init_ = Merge(init_, Sum(sidecars_, amount), &Larger);
      return;
    }
    if (kind == ContainerKind::kSidecar) sidecars_ = Sum(sidecars_, amount);
    running_ = Sum(running_, amount);
  }
  AmountByModel amount() const { return Merge(running_, init_, &Larger); }

 private:
  AmountByModel sidecars_;
  AmountByModel running_;
  AmountByModel init_;
};

Amount OfCard(const request::CardGrant& card) {
  return {.cards = 1, .memory = card.memory, .cores_percent = card.cores_percent};
}

std::string Of(const std::string& model) { return model.empty() ? "" : " of model " + model; }

Error Over(const std::string& what, const std::string& limit, const std::string& used,
           const std::string& wanted) {
  return {Errc::kUnavailable, "quota: " + what + ": the namespace may have " + limit + ", has " +
                                  used + ", and the pod wants " + wanted +
                                  ": delete others, or have the quota raised"};
}

std::optional<Error> ExceedsOne(const std::string& model, const Limit& limit, const Amount& used,
                                const Amount& wanted) {
  const Amount sum = Sum(used, wanted);
  if (limit.cards && wanted.cards != 0 && sum.cards > *limit.cards)
    return Over("cards" + Of(model), std::to_string(*limit.cards), std::to_string(used.cards),
                std::to_string(wanted.cards));
  if (limit.memory && wanted.memory.count() != 0 && sum.memory > *limit.memory)
    return Over("card memory" + Of(model), Exact(*limit.memory), Exact(used.memory),
                Exact(wanted.memory));
  if (limit.cores_percent && wanted.cores_percent != 0 && sum.cores_percent > *limit.cores_percent)
    return Over("cores" + Of(model), std::to_string(*limit.cores_percent) + " %",
                std::to_string(used.cores_percent) + " %",
                std::to_string(wanted.cores_percent) + " %");
  return std::nullopt;
}

Amount Find(const AmountByModel& amounts, const std::string& model) {
  const auto found = amounts.find(model);
  return found == amounts.end() ? Amount{} : found->second;
}

}  // namespace

Amount Sum(const Amount& a, const Amount& b) {
  return {.cards = Add(a.cards, b.cards),
          .memory = Bytes(Add(a.memory.count(), b.memory.count())),
          .cores_percent = Add(a.cores_percent, b.cores_percent)};
}

Amount Difference(const Amount& a, const Amount& b) {
  return {.cards = Subtract(a.cards, b.cards),
          .memory = Bytes(Subtract(a.memory.count(), b.memory.count())),
          .cores_percent = Subtract(a.cores_percent, b.cores_percent)};
}

AmountByModel Sum(const AmountByModel& a, const AmountByModel& b) {
  return Merge(a, b, [](const Amount& x, const Amount& y) { return Sum(x, y); });
}

AmountByModel Difference(const AmountByModel& a, const AmountByModel& b) {
  return Merge(a, b, [](const Amount& x, const Amount& y) { return Difference(x, y); });
}

bool IsFull(const AmountByModel& sums) {
  return std::any_of(sums.begin(), sums.end(), [](const auto& sum) {
    const Amount& amount = sum.second;
    return amount.cards == UINT64_MAX || amount.memory.count() == UINT64_MAX ||
           amount.cores_percent == UINT64_MAX;
  });
}

AmountByModel AmountOf(const request::Request& request, Bytes smallest_card) {
  const auto& models = request.wishes.use_models;
  Peak peak;
  for (const request::ContainerRequest& container : request.containers) {
    if (container.cards == 0) continue;
    const Amount each{.cards = 1,
                      .memory = container.memory.On(smallest_card),
                      .cores_percent = container.cores_percent};
    AmountByModel amount{{"", Times(each, container.cards)}};
    if (models.size() == 1) amount[models.front()] = amount[""];
    peak.Add(container.kind, amount);
  }
  return peak.amount();
}

AmountByModel AmountOf(const request::Request& request, const request::Assignment& assignment,
                       const ModelOfCard& model_of) {
  Peak peak;
  for (const request::ContainerRequest& container : request.containers) {
    const request::ContainerGrant* grant = assignment.Find(container.name);
    if (grant == nullptr) continue;
    AmountByModel amount;
    for (const request::CardGrant& card : grant->cards) {
      amount[""] = Sum(amount[""], OfCard(card));
      const auto model = model_of.find(card.uuid);
      if (model == model_of.end() || model->second.empty()) continue;
      amount[model->second] = Sum(amount[model->second], OfCard(card));
    }
    peak.Add(container.kind, amount);
  }
  return peak.amount();
}

std::optional<Error> Exceeds(const LimitByModel& limits, const AmountByModel& used,
                             const AmountByModel& wanted) {
  for (const auto& [model, limit] : limits)
    if (auto error = ExceedsOne(model, limit, Find(used, model), Find(wanted, model))) return error;
  return std::nullopt;
}

}  // namespace warpshare::admit
