#include "node/local/handover_news.h"

#include "policy/share/timing.h"
#include "policy/share/turn_length.h"

namespace warpshare::node {

namespace {

constexpr uint64_t kUs = 1'000;

bool MakesTurnsLonger(uint64_t handover_ns) {
  return share::QuantumNs(handover_ns, /*in_play=*/2) > share::kQuantumNs;
}

bool IsAbout(uint64_t ns, uint64_t other_ns) {
  return ns <= other_ns + other_ns / 2 && other_ns <= ns + ns / 2;
}

std::string InMs(uint64_t ns) {
  const uint64_t tenths = (ns + 50 * kUs) / (100 * kUs);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

}  // namespace

std::vector<std::string> HandoverNews::Of(const std::map<GpuUuid, uint64_t>& handovers_ns) {
  std::vector<std::string> news;
  for (const auto& [card, ns] : handovers_ns) {
    uint64_t& said_ns = said_ns_[card];
    if (!MakesTurnsLonger(ns) && !MakesTurnsLonger(said_ns)) continue;
    if (IsAbout(ns, said_ns)) continue;
    said_ns = ns;
    news.push_back(card.ShortText() + " loses " + std::to_string(ns / kUs) +
                   " us when it goes from one tenant to another: turns of two are " +
                   InMs(share::QuantumNs(ns, /*in_play=*/2)));
  }
  std::erase_if(said_ns_, [&](const auto& said) { return !handovers_ns.contains(said.first); });
  return news;
}

}  // namespace warpshare::node
