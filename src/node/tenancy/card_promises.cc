#include "node/tenancy/card_promises.h"

#include <algorithm>
#include <map>

#include "node/tenancy/card_note.h"
#include "node/tenancy/compute_limit.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/presence.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/region_file/limits_file.h"
#include "policy/share/static_share.h"

namespace warpshare::node {

namespace {

// Of one card to one tenant that is held back.
struct Promise {
  std::string tenant;
  TenantDir folder;
  uint32_t position;  // of the card on the tenant's page
  platform::ComputeTerms page;
  share::Terms terms;
};

using PromisesByCard = std::map<GpuUuid, std::vector<Promise>>;

void AddPromises(const std::string& name, const TenantDir& folder, PromisesByCard& cards) {
  const auto limits = platform::ReadLimitsFile(folder.limits_path());
  if (!limits) return;
  for (uint32_t position = 0; position < limits->cards.size(); ++position) {
    const platform::CardLimit& card = limits->cards[position];
    if (const ComputeLimit limit = FromPage(card.compute))
      cards[card.uuid].push_back({name, folder, position, card.compute, *limit});
  }
}

PromisesByCard ReadPromises(const StateDir& state) {
  PromisesByCard cards;
  for (const std::string& name : TenantNames(state)) {
    const auto folder = TenantDir::Open(state.tenants_path() + "/" + name);
    if (folder && IsInUse(*folder)) AddPromises(name, *folder, cards);
  }
  return cards;
}

std::vector<share::Terms> TermsOf(const std::vector<Promise>& promises) {
  std::vector<share::Terms> terms;
  for (const Promise& promise : promises) terms.push_back(promise.terms);
  return terms;
}

std::string CardName(const Promise& promise, const GpuUuid& uuid) {
  const auto notes = ReadCardNote(promise.folder.cards_path());
  const auto note = std::ranges::find(notes, uuid, &NotedCard::uuid);
  return note == notes.end() ? uuid.ShortText() : std::to_string(note->index);
}

}  // namespace

bool IsAnyoneHeldBack(const StateDir& state) { return !ReadPromises(state).empty(); }

std::vector<GpuUuid> CardsHeldBack(const StateDir& state) {
  std::vector<GpuUuid> cards;
  for (const auto& [uuid, promises] : ReadPromises(state)) cards.push_back(uuid);
  return cards;
}

void SpreadStaticShares(const StateDir& state) {
  for (const auto& [uuid, promises] : ReadPromises(state)) {
    const std::vector<uint32_t> shares = share::StaticShares(TermsOf(promises));
    for (size_t i = 0; i < promises.size(); ++i) {
      const Promise& promise = promises[i];
      const platform::ComputeTerms page = OnPage(promise.terms, shares[i]);
      if (page != promise.page)
        (void)platform::StoreComputeTerms(promise.folder.limits_path(), promise.position, page);
    }
  }
}

std::vector<Overpromise> FindOverpromises(const StateDir& state, const std::string& tenant) {
  std::vector<Overpromise> found;
  for (const auto& [uuid, promises] : ReadPromises(state)) {
    const uint64_t permille = share::SumOfGuarantees(TermsOf(promises));
    const auto own = std::ranges::find(promises, tenant, &Promise::tenant);
    if (permille <= share::kWholeCard || own == promises.end()) continue;
    Overpromise over{.card = CardName(*own, uuid), .permille = permille, .tenants = {}};
    for (const Promise& promise : promises)
      if (share::IsGuaranteed(promise.terms)) over.tenants.push_back(promise.tenant);
    found.push_back(std::move(over));
  }
  std::ranges::sort(found, {}, &Overpromise::card);
  return found;
}

}  // namespace warpshare::node
