// The mix of pods seen so far: what the next ones will probably ask for. Every pod is shown once,
// when it is first seen; older ones count less and less.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policy/request/request.h"

namespace warpshare::place {

// Pods after which a pod counts half.
inline constexpr double kHalfLifePods = 20'000;
inline constexpr size_t kMaxClasses = 512;  // the lightest goes when another one comes

// Containers that ask for the same, with the weight of all of them.
struct DemandClass {
  uint32_t cards = 1;
  MemoryAmount memory = MemoryAmount::Share(MemoryAmount::kWhole);
  uint32_t cores_percent = 0;
  bool whole = false;
  std::vector<std::string> use_models = {};
  std::vector<std::string> avoid_models = {};
  request::ModelMatch model_match = request::ModelMatch::kWords;
  double weight = 0;
  double cpu_milli = 0;         // weighted sums, of the pods' processors ...
  double cpu_milli_square = 0;  // ... and of their squares
};

class Demand {
 public:
  void Observe(const request::Request& request);

  const std::vector<DemandClass>& classes() const { return classes_; }
  double cpu_milli_without_cards() const { return cpu_milli_without_cards_; }
  double newest_weight() const { return newest_weight_; }  // of a pod seen just now
  uint64_t observed() const { return observed_; }

 private:
  DemandClass& ClassOf(const request::ContainerRequest& container,
                       const request::CardWishes& wishes);
  void Rescale();

  std::vector<DemandClass> classes_;
  double cpu_milli_without_cards_ = 0;
  double newest_weight_ = 1;
  uint64_t observed_ = 0;
};

}  // namespace warpshare::place
