// What a pod asks for, whoever's names it was written in. Each dialect is a parser that makes one
// of these; placement, admission and quota know nothing else of a pod.
//
// All amounts are for each card of a container. A container without cards stands here too, with
// `cards` 0, so that the order of the pod's containers is kept: init containers run one after the
// other, and beside the sidecars before them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policy/share/terms.h"
#include "types/bytes.h"
#include "types/gpu_uuid.h"
#include "types/memory_amount.h"

namespace warpshare::request {

inline constexpr uint32_t kWholeCardCores = 100;  // percent
inline constexpr uint32_t kMaxCardsPerContainer = 64;

enum class ContainerKind : uint8_t {
  kInit,      // runs to its end before the next container starts
  kSidecar,   // an init container that stays (restartPolicy: Always)
  kOrdinary,  // runs with all other ordinary ones and the sidecars
};

// How a container's kernels share a card with those of others; see policy/share/terms.h.
struct Compute {
  share::Mode mode = share::Mode::kWeighted;
  uint32_t weight = 1;
  share::Priority priority = share::Priority::kLow;

  bool operator==(const Compute&) const = default;
};

struct ContainerRequest {
  std::string name = {};
  ContainerKind kind = ContainerKind::kOrdinary;
  uint32_t cards = 0;
  MemoryAmount memory = MemoryAmount::Share(MemoryAmount::kWhole);
  uint32_t cores_percent = 0;  // promised to it alone, 1..100; 0: nothing is promised
  bool whole = false;          // nobody else on its cards; memory and cores are then the card's
  Compute compute = {};

  bool operator==(const ContainerRequest&) const = default;
};

// Where a new tenant goes when several places would do.
enum class Policy : uint8_t {
  kFit,       // where it strands least of what pods like those seen so far could use
  kBinpack,   // where least is left
  kSpread,    // where most is left
  kTopology,  // cards that are linked, on the NUMA node of each other
};

enum class ModelMatch : uint8_t {
  kWords,      // "A10" is A10, not A100
  kSubstring,  // HAMi's and Volcano's way, in any case
};

struct CardWishes {
  std::vector<std::string> use_models = {};  // any of them; empty: any model
  std::vector<std::string> avoid_models = {};
  ModelMatch model_match = ModelMatch::kWords;
  std::vector<GpuUuid> use_uuids = {};  // none but these; empty: any card
  std::vector<GpuUuid> avoid_uuids = {};
  Policy node_policy = Policy::kFit;
  Policy card_policy = Policy::kFit;
  bool one_numa_node = false;  // all cards of a container on one NUMA node, or nowhere

  bool operator==(const CardWishes&) const = default;
};

// Processor and memory of the host, in the pod's peak; kube-scheduler sees to it that they fit,
// placement only that cards are not left on a node without processors for them.
struct HostNeed {
  uint64_t cpu_milli = 0;
  Bytes memory = {};

  bool operator==(const HostNeed&) const = default;
};

struct Request {
  std::string namespace_name = {};
  std::string pod_name = {};
  std::string pod_uid = {};
  std::vector<ContainerRequest> containers = {};  // in the pod's order, init containers first
  CardWishes wishes = {};
  HostNeed host = {};
  int32_t priority = 0;  // who has more may take the place of who has less

  bool operator==(const Request&) const = default;
};

// Does any container ask for a card?
inline bool WantsCards(const Request& request) {
  for (const ContainerRequest& container : request.containers)
    if (container.cards != 0) return true;
  return false;
}

}  // namespace warpshare::request
