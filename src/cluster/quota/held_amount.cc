#include "cluster/quota/held_amount.h"

namespace warpshare::quota {

namespace {

admit::Amount OfCard(const place::CardHold& hold) {
  const auto positive = [](int64_t amount) {
    return static_cast<uint64_t>(amount < 0 ? 0 : amount);
  };
  return {.cards = positive(hold.slots),
          .memory = Bytes(positive(hold.memory)),
          .cores_percent = positive(hold.cores)};
}

}  // namespace

admit::AmountByModel AmountOf(const place::PodHold& hold, const place::Ledger& ledger) {
  admit::AmountByModel amounts;
  for (const place::HeldCard& card : hold.cards) {
    const admit::Amount amount = OfCard(card.hold);
    amounts[""] = Sum(amounts[""], amount);
    const auto known = ledger.FindCard(card.uuid);
    const std::string model = known ? ledger.models().Name(ledger.card(*known).model) : "";
    if (!model.empty()) amounts[model] = Sum(amounts[model], amount);
  }
  return amounts;
}

}  // namespace warpshare::quota
