// What a person wants to know of a pod that asks for cards: what it wants, where it is and what it
// was given there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/json/json.h"
#include "policy/place/ledger.h"
#include "policy/request/assignment.h"
#include "policy/request/pod_view.h"

namespace warpshare::report {

struct PodFacts {
  std::string space = {};
  std::string name = {};
  std::string uid = {};
  std::string node = {};   // empty: it waits
  std::string phase = {};  // "Pending", "Running", ...
  request::Request request = {};
  std::optional<request::Assignment> assignment = {};
  place::PodHold hold = {};  // what it has by its assignment; empty without a good one
  std::string problem = {};  // what is wrong with its request or assignment
  bool is_plain = false;     // on a node, with cards of NVIDIA's own device plugin
  uint64_t slots = 0;        // warpshare.io/gpu, as the kubelet counts it
  uint64_t plain_cards = 0;  // nvidia.com/gpu

  std::string Name() const { return space + '/' + name; }
};

// Does any container name a resource of cards?
bool AsksForCards(const request::PodView& untrusted_pod);

PodFacts PodFactsOf(const request::PodView& untrusted_pod, std::string_view phase);

// How much of a resource the pod needs at its peak, as the kubelet and kube-scheduler count.
uint64_t PeakOf(const request::PodView& untrusted_pod, const char* resource);

}  // namespace warpshare::report
