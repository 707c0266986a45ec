// What the extender was asked and has answered, for metrics. Counts since the process began, of one
// thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "policy/place/reason.h"

namespace warpshare::cluster {

enum class Verb : uint8_t { kFilter, kPrioritize, kBind, kPreempt };

inline constexpr std::array<std::string_view, 4> kVerbNames = {"filter", "prioritize", "bind",
                                                               "preempt"};

// How long answers took. A Bind waits for the API server, the others for nobody.
struct LatencyCounts {
  static constexpr std::array kUpperBounds = {1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2,
                                              5e-2, 0.1,    0.25, 0.5,  1.0,    2.5,  5.0,  10.0};

  std::array<uint64_t, kUpperBounds.size() + 1> counts = {};
  double sum_seconds = 0;

  void Count(std::chrono::duration<double> took) {
    size_t bucket = 0;
    while (bucket < kUpperBounds.size() && took.count() > kUpperBounds[bucket]) ++bucket;
    ++counts[bucket];
    sum_seconds += took.count();
  }
};

using ReasonCounts = std::array<uint64_t, place::kReasonCount>;

struct VerbStats {
  struct Answers {
    LatencyCounts latency = {};
    uint64_t errors = 0;  // bodies that make no sense, verbs while not serving, failed Binds
  };
  std::array<Answers, kVerbNames.size()> verbs = {};
  ReasonCounts refused_nodes = {};  // by Filter
  // Of pods, by uid, that Filter found no node for when it was asked last: what kept the most
  // promising one away.
  std::unordered_map<std::string, place::Reason> unplaced = {};
};

}  // namespace warpshare::cluster
