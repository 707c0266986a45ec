// What the mix of pods means for the cards as they are: how much of a card that is partly free will
// stay unused, how many processors the free cards will need, and which models will run short. Built
// anew from time to time; between that, placement only looks things up.
//
// Amounts are in thousandths of a card ("milli"), whatever the card.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "policy/place/demand.h"
#include "policy/place/ledger.h"

namespace warpshare::place {

using WasteTable = std::array<float, kLevels + 1>;  // by what is free of a card, in percent

struct Outlook {
  std::vector<WasteTable> waste_by_kind = {};
  std::vector<float> price_by_model = {};  // 0..1: the chance that the model's cards will run short
  // By the number of empty cards of a node: how much of them is of no use to pods of several cards.
  std::array<float, kMaxCardsPerNode + 1> block_waste = {};
  double cpu_per_milli = 0;           // thousandths of a processor that will be wanted by it ...
  double cpu_variance_per_milli = 0;  // ... and how much that varies
  double cores_weight = 0;            // 0..1: how many of the shared cards' pods are promised cores
  uint64_t observed = 0;              // pods that it is built from

  bool operator==(const Outlook&) const = default;
};

Outlook Foresee(const Demand& demand, const Ledger& ledger);

// Is it worth building anew?
bool IsStale(const Outlook& outlook, const Demand& demand);

// Milli of a node's free cards that will stay unused for want of processors.
double StrandedByCpu(const Outlook& outlook, uint32_t free_milli, int64_t cpu_free_milli);

inline double WasteOf(const Outlook& outlook, const Card& card) {
  if (card.kind >= outlook.waste_by_kind.size()) return 0;
  const int imbalance = card.level - card.cores_free;
  const double lopsided = outlook.cores_weight * kMilliPerLevel / 2 *
                          static_cast<double>(imbalance < 0 ? -imbalance : imbalance);
  return static_cast<double>(outlook.waste_by_kind[card.kind][FreeLevel(card)]) + lopsided;
}

}  // namespace warpshare::place
