#include "policy/place/demand.h"

#include <algorithm>
#include <cmath>

namespace warpshare::place {

namespace {

// Weights grow instead of old ones shrinking, until they are all brought down at once.
const double kGrowth = std::exp2(1 / kHalfLifePods);
constexpr double kLargestWeight = 1e9;

bool IsClassOf(const DemandClass& cls, const request::ContainerRequest& container,
               const request::CardWishes& wishes) {
  return cls.cards == container.cards && cls.memory == container.memory &&
         cls.cores_percent == container.cores_percent && cls.whole == container.whole &&
         cls.use_models == wishes.use_models && cls.avoid_models == wishes.avoid_models &&
         cls.model_match == wishes.model_match;
}

bool RunsOn(const request::ContainerRequest& container) {
  return container.cards != 0 && container.kind != request::ContainerKind::kInit;
}

}  // namespace

void Demand::Observe(const request::Request& request) {
  ++observed_;
  newest_weight_ *= kGrowth;
  if (newest_weight_ > kLargestWeight) Rescale();
  const auto with_cards =
      std::count_if(request.containers.begin(), request.containers.end(), &RunsOn);
  if (with_cards == 0) {
    cpu_milli_without_cards_ += newest_weight_ * static_cast<double>(request.host.cpu_milli);
    return;
  }
  const double cpu = static_cast<double>(request.host.cpu_milli) / static_cast<double>(with_cards);
  for (const request::ContainerRequest& container : request.containers) {
    if (!RunsOn(container)) continue;
    DemandClass& cls = ClassOf(container, request.wishes);
    cls.weight += newest_weight_;
    cls.cpu_milli += newest_weight_ * cpu;
    cls.cpu_milli_square += newest_weight_ * cpu * cpu;
  }
}

DemandClass& Demand::ClassOf(const request::ContainerRequest& container,
                             const request::CardWishes& wishes) {
  for (DemandClass& cls : classes_)
    if (IsClassOf(cls, container, wishes)) return cls;
  const DemandClass fresh{.cards = container.cards,
                          .memory = container.memory,
                          .cores_percent = container.cores_percent,
                          .whole = container.whole,
                          .use_models = wishes.use_models,
                          .avoid_models = wishes.avoid_models,
                          .model_match = wishes.model_match};
  if (classes_.size() < kMaxClasses) return classes_.emplace_back(fresh);
  const auto lightest = std::min_element(
      classes_.begin(), classes_.end(),
      [](const DemandClass& a, const DemandClass& b) { return a.weight < b.weight; });
  return *lightest = fresh;
}

void Demand::Rescale() {
  for (DemandClass& cls : classes_) {
    cls.weight /= newest_weight_;
    cls.cpu_milli /= newest_weight_;
    cls.cpu_milli_square /= newest_weight_;
  }
  cpu_milli_without_cards_ /= newest_weight_;
  newest_weight_ = 1;
}

}  // namespace warpshare::place
