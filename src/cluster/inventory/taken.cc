#include "cluster/inventory/taken.h"

#include <algorithm>
#include <utility>

#include "policy/place/grant.h"
#include "policy/request/assignment.h"

namespace warpshare::cluster {

namespace {

constexpr std::string_view kTaken = "taken/";  // no pod has a uid that begins so

// By containers that run beside each other, as the assignment has them.
place::PodHold HoldOf(const std::string& node, const request::Assignment& said) {
  request::Request request;
  for (const request::ContainerGrant& grant : said.containers)
    request.containers.push_back({.name = grant.container, .compute = {}});
  place::PodHold hold = place::HoldOf(request, said);
  hold.node = node;
  return hold;
}

bool HasCard(const place::PodHold& hold, const place::HeldCard& card) {
  return std::ranges::find(hold.cards, card.uuid, &place::HeldCard::uuid) != hold.cards.end();
}

}  // namespace

bool Taken::SetNode(const std::string& node, const std::string& untrusted_text) {
  place::PodHold now{.node = node};
  if (!untrusted_text.empty()) {
    const auto said = request::DecodeAssignment(untrusted_text);
    if (!said) return false;
    now = HoldOf(node, *said);
  }
  const std::string key = HolderOf(node);
  const place::PodHold* before = ledger_.FindHold(key);
  const bool has_less =
      before != nullptr &&
      !std::ranges::all_of(before->cards, [&](const auto& c) { return HasCard(now, c); });
  if (!now.cards.empty())
    ledger_.Adopt(key, now);
  else if (before != nullptr)
    ledger_.Release(key);
  return has_less;
}

void Taken::RemoveNode(const std::string& node) { ledger_.Release(HolderOf(node)); }

std::string Taken::HolderOf(const std::string& node) { return std::string(kTaken) + node; }

bool Taken::IsHolder(const std::string& holder) { return holder.starts_with(kTaken); }

}  // namespace warpshare::cluster
