#include "policy/place/outlook.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "policy/place/shortfall.h"
#include "policy/place/waste_table.h"
#include "policy/request/model_match.h"

namespace warpshare::place {

namespace {

constexpr uint64_t kPodsBetween = 100;
// Of the processors that free cards will not need, pods without cards can use about half: the rest
// is in pieces on nodes where they do not fit.
constexpr double kUsableSlack = 0.5;
// Of what a node's free cards will need of processors: besides the luck of who comes, its pods are
// not those of the mean node. It also makes the order of nodes one that no rounding hides, where
// each has far too many processors or far too few.
constexpr double kNodeDeviation = 0.25;

double NormalBelow(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// What is free and who could use it, gathered once.
struct Supply {
  std::vector<double> cards_by_kind;
  std::vector<double> free_by_model;  // milli
  double free = 0;
};

Supply Gather(const Ledger& ledger) {
  Supply supply{.cards_by_kind = std::vector<double>(ledger.kinds().count()),
                .free_by_model = std::vector<double>(ledger.models().count())};
  for (NodeId id = 0; id < ledger.node_ids(); ++id) {
    for (const Card& card : ledger.cards_of(id)) {
      if (!card.healthy) continue;
      const double free = FreeLevel(card) * kMilliPerLevel;
      supply.cards_by_kind[card.kind] += 1;
      supply.free_by_model[card.model] += free;
      supply.free += free;
    }
  }
  return supply;
}

// Percent of a card of that size that the class takes away: memory or cores, whichever is more.
uint32_t SizeOn(const DemandClass& cls, uint64_t memory_total) {
  if (cls.whole) return kLevels;
  const uint64_t bytes = cls.memory.On(Bytes(memory_total)).count();
  if (bytes > memory_total) return kLevels + 1;  // fits none
  const uint32_t level = LevelUpOf(static_cast<int64_t>(bytes), memory_total);
  return std::max({level, cls.cores_percent, 1U});
}

// Milli that a pod of the class takes, in the mean over the cluster's cards.
double MilliOf(const DemandClass& cls, const Ledger& ledger, const Supply& supply) {
  double milli = 0;
  double cards = 0;
  for (uint16_t kind = 0; kind < supply.cards_by_kind.size(); ++kind) {
    const uint32_t size = SizeOn(cls, ledger.kinds().MemoryOf(kind));
    if (size > kLevels) continue;
    milli += supply.cards_by_kind[kind] * size * kMilliPerLevel * cls.cards;
    cards += supply.cards_by_kind[kind];
  }
  return cards > 0 ? milli / cards : 0;
}

class Builder {
 public:
  Builder(const Demand& demand, const Ledger& ledger)
      : demand_(demand), ledger_(ledger), supply_(Gather(ledger)) {
    for (const DemandClass& cls : demand.classes()) {
      milli_.push_back(MilliOf(cls, ledger, supply_));
      weight_ += cls.weight;
      demanded_ += cls.weight * milli_.back();
    }
  }

  Outlook Build() {
    Outlook outlook{.observed = demand_.observed()};
    outlook.price_by_model.resize(ledger_.models().count());
    if (demanded_ <= 0) return outlook;
    AddWaste(outlook);
    AddBlocks(outlook);
    AddCpu(outlook);
    AddPrices(outlook);
    return outlook;
  }

 private:
  void AddWaste(Outlook& outlook) const {
    for (uint16_t kind = 0; kind < ledger_.kinds().count(); ++kind) {
      SizeMix mix = {};
      for (const DemandClass& cls : demand_.classes()) {
        const uint32_t size = SizeOn(cls, ledger_.kinds().MemoryOf(kind));
        if (size <= kLevels) mix[size] += cls.weight / weight_;
      }
      outlook.waste_by_kind.push_back(ExpectedWaste(mix));
    }
    double shared = 0;
    for (const DemandClass& cls : demand_.classes()) {
      if (cls.whole) continue;
      shared += cls.weight;
      if (cls.cores_percent != 0) outlook.cores_weight += cls.weight;
    }
    if (shared > 0) outlook.cores_weight /= shared;
  }

  void AddBlocks(Outlook& outlook) const {
    for (const DemandClass& cls : demand_.classes())
      for (uint32_t empty = 1; empty < std::min(cls.cards, kMaxCardsPerNode + 1); ++empty)
        outlook.block_waste[empty] +=
            static_cast<float>(cls.weight / weight_ * empty * kLevels * kMilliPerLevel);
  }

  // The processors that free cards will need are those of pods with cards, and of that part of the
  // pods without which will find no others.
  void AddCpu(Outlook& outlook) const {
    double cpu = 0;
    double variance = 0;
    for (const DemandClass& cls : demand_.classes()) cpu += cls.cpu_milli;
    const double per_milli = cpu / demanded_;
    for (size_t i = 0; i < milli_.size(); ++i) {
      const DemandClass& cls = demand_.classes()[i];
      const double expected = per_milli * milli_[i];
      variance +=
          cls.cpu_milli_square - 2 * expected * cls.cpu_milli + expected * expected * cls.weight;
    }
    const double others = demand_.cpu_milli_without_cards() / demanded_;
    outlook.cpu_variance_per_milli = std::max(variance, 0.0) / demanded_;
    outlook.cpu_per_milli = per_milli + others * CrowdedOut(per_milli, others);
  }

  // The part of the pods without cards for which no slack will be left when the cards are full.
  double CrowdedOut(double per_milli, double others) const {
    double slack = 0;
    for (NodeId id = 0; id < ledger_.node_ids(); ++id) {
      const Node& node = ledger_.node(id);
      slack +=
          std::max(0.0, static_cast<double>(node.cpu_free_milli) - per_milli * node.free_milli);
    }
    const double wanted = others * supply_.free;
    if (wanted <= 0) return 0;
    return std::clamp((wanted - kUsableSlack * slack) / wanted, 0.0, 1.0);
  }

  // Until the cluster is full, pods that must have certain models come in the proportion in which
  // they came so far. How they share what they may have is in proportion to what is free of it.
  void AddPrices(Outlook& outlook) const {
    std::vector<double> wanted(ledger_.models().count());
    std::vector<double> variance(ledger_.models().count());
    for (size_t i = 0; i < milli_.size(); ++i) {
      const DemandClass& cls = demand_.classes()[i];
      if (cls.use_models.empty() && cls.avoid_models.empty()) continue;
      AddWanted(cls, milli_[i], wanted, variance);
    }
    for (uint16_t model = 0; model < wanted.size(); ++model)
      if (wanted[model] > 0)
        outlook.price_by_model[model] = static_cast<float>(NormalBelow(
            (wanted[model] - supply_.free_by_model[model]) / std::sqrt(variance[model] + 1)));
  }

  void AddWanted(const DemandClass& cls, double milli, std::vector<double>& wanted,
                 std::vector<double>& variance) const {
    const request::CardWishes wishes{.use_models = cls.use_models,
                                     .avoid_models = cls.avoid_models,
                                     .model_match = cls.model_match};
    std::vector<uint16_t> models;
    double free = 0;
    for (uint16_t model = 0; model < wanted.size(); ++model) {
      if (!request::AllowsModel(wishes, ledger_.models().Name(model))) continue;
      models.push_back(model);
      free += supply_.free_by_model[model];
    }
    if (free <= 0) return;
    const double pods = cls.weight / demand_.newest_weight();  // as good as so many seen just now
    for (const uint16_t model : models) {
      const double expected =
          cls.weight * milli / demanded_ * supply_.free * supply_.free_by_model[model] / free;
      wanted[model] += expected;
      // Of their number, and of what so few pods tell about it.
      variance[model] += expected * milli + expected * expected / pods;
    }
  }

  const Demand& demand_;
  const Ledger& ledger_;
  const Supply supply_;
  std::vector<double> milli_;  // by class
  double weight_ = 0;
  double demanded_ = 0;
};

}  // namespace

Outlook Foresee(const Demand& demand, const Ledger& ledger) {
  return Builder(demand, ledger).Build();
}

bool IsStale(const Outlook& outlook, const Demand& demand) {
  const uint64_t since = demand.observed() - outlook.observed;
  return since >= std::min(kPodsBetween, 1 + outlook.observed / 8);
}

double StrandedByCpu(const Outlook& outlook, uint32_t free_milli, int64_t cpu_free_milli) {
  if (free_milli == 0 || outlook.cpu_per_milli <= 0) return 0;
  const double wanted = outlook.cpu_per_milli * free_milli;
  const double missing = wanted - static_cast<double>(cpu_free_milli);
  const double of_node = kNodeDeviation * wanted;
  const double deviation =
      std::sqrt(1 + outlook.cpu_variance_per_milli * free_milli + of_node * of_node);
  return deviation * Shortfall(missing / deviation) / outlook.cpu_per_milli;
}

}  // namespace warpshare::place
