#include "policy/request/warpshare_names.h"

#include <optional>
#include <utility>

#include "abi/names/resources.h"
#include "policy/request/host_need.h"
#include "policy/request/quantity.h"
#include "policy/request/resize.h"
#include "policy/request/wishes.h"
#include "types/printable.h"

namespace warpshare::request {

namespace {

constexpr uint64_t kMostMebibytes = UINT64_MAX >> 20;

// What one container names; none: not named.
struct Named {
  std::optional<uint64_t> cards;
  std::optional<uint64_t> whole_cards;
  std::optional<uint64_t> memory_mib;
  std::optional<uint64_t> memory_percent;
  std::optional<uint64_t> cores;

  bool Shares() const { return memory_mib || memory_percent || cores; }
  bool Any() const { return cards || whole_cards || Shares(); }
};

Failure InContainer(const ContainerView& container, std::string_view sentence) {
  return Fail(Errc::kInvalid,
              "container " + Printable(container.name, 64) + ": " + std::string(sentence));
}

struct Field {
  const char* resource;
  std::optional<uint64_t> Named::* amount;
};

constexpr Field kFields[] = {
    {abi::kResourceGpu, &Named::cards},
    {abi::kResourceNvidiaGpu, &Named::whole_cards},
    {abi::kResourceGpuMemory, &Named::memory_mib},
    {abi::kResourceGpuMemoryPercent, &Named::memory_percent},
    {abi::kResourceGpuCores, &Named::cores},
};

Result<Named> ReadNamed(const ContainerView& container) {
  Named named;
  for (const Field& field : kFields) {
    const std::string* text = Find(container.limits, field.resource);
    if (text == nullptr) text = Find(container.requests, field.resource);
    if (text == nullptr) continue;
    named.*field.amount = QuantityInUnits(*text);
    if (!(named.*field.amount))
      return InContainer(container, std::string(field.resource) + " '" + Printable(*text, 32) +
                                        "' is not a quantity: write a whole number");
  }
  return named;
}

// The first thing that makes no sense, or nullptr.
const char* Nonsense(const Named& named) {
  if (named.whole_cards.value_or(0) != 0 && (named.cards.value_or(0) != 0 || named.Shares()))
    return "asks for nvidia.com/gpu and warpshare.io/gpu: keep one of them";
  if (named.cards.value_or(0) > kMaxCardsPerContainer ||
      named.whole_cards.value_or(0) > kMaxCardsPerContainer)
    return "asks for more than 64 cards: no node has so many";
  if (named.cards == 0U && named.Shares())
    return "warpshare.io/gpu is 0 beside memory or cores: write the number of cards, or leave it "
           "out for one";
  if (named.memory_mib && named.memory_percent)
    return "has warpshare.io/gpu-memory and gpu-memory-percent: keep one of them";
  if (named.memory_mib && (*named.memory_mib == 0 || *named.memory_mib > kMostMebibytes))
    return "warpshare.io/gpu-memory is out of range: write MiB per card, without a unit";
  if (named.memory_percent && (*named.memory_percent == 0 || *named.memory_percent > 100))
    return "warpshare.io/gpu-memory-percent is not in 1..100: write a percentage of each card";
  if (named.cores && (*named.cores == 0 || *named.cores > kWholeCardCores))
    return "warpshare.io/gpu-cores is not in 1..100: write a percentage of each card";
  return nullptr;
}

MemoryAmount MemoryOf(const Named& named) {
  if (named.memory_mib) return MemoryAmount::Of(Bytes(*named.memory_mib << 20));
  const uint64_t percent = named.memory_percent.value_or(100);
  return MemoryAmount::Share(static_cast<uint32_t>(percent) * (MemoryAmount::kWhole / 100));
}

const char* MisfitOfMode(const Compute& compute, bool has_cores) {
  const bool guaranteed = share::IsGuaranteed({.mode = compute.mode});
  if (guaranteed && !has_cores)
    return "compute policy hard and soft need warpshare.io/gpu-cores: write a percentage, or say "
           "weighted";
  if (!guaranteed && has_cores)
    return "compute policy weighted and priority promise no percentage: leave "
           "warpshare.io/gpu-cores out, or say hard or soft";
  return nullptr;
}

Compute DefaultCompute(const ComputeWish& wish, bool has_cores) {
  const share::Mode mode =
      wish.mode.value_or(has_cores ? share::Mode::kHard : share::Mode::kWeighted);
  return {.mode = mode, .weight = wish.weight, .priority = wish.priority};
}

struct Wishes {
  ComputeWish compute;
  std::vector<Resize> resizes;
};

Result<ContainerRequest> ReadContainer(const ContainerView& view, const Wishes& wishes) {
  ContainerRequest container{.name = view.name, .kind = view.kind, .compute = {}};
  auto named = ReadNamed(view);
  if (!named) return Forward(named);
  if (const char* sentence = Nonsense(*named)) return InContainer(view, sentence);
  const uint64_t whole_cards = named->whole_cards.value_or(0);
  container.cards = static_cast<uint32_t>(
      whole_cards != 0 ? whole_cards : named->cards.value_or(named->Shares() ? 1 : 0));
  if (container.cards == 0) return container;
  if (!named->Shares()) {
    container.whole = true;
    container.cores_percent = kWholeCardCores;
    return container;
  }
  const Resize resize = ResizeOf(wishes.resizes, view.name);
  container.memory = resize.memory.value_or(MemoryOf(*named));
  container.cores_percent = resize.cores.value_or(static_cast<uint32_t>(named->cores.value_or(0)));
  container.compute = DefaultCompute(wishes.compute, container.cores_percent != 0);
  if (const char* sentence = MisfitOfMode(container.compute, container.cores_percent != 0))
    return InContainer(view, sentence);
  return container;
}

}  // namespace

Result<Request> ParseWarpshareNames(const PodView& pod) {
  Request request{.namespace_name = pod.namespace_name,
                  .pod_name = pod.name,
                  .pod_uid = pod.uid,
                  .containers = {},
                  .wishes = {},
                  .host = {},
                  .priority = pod.priority};
  auto compute = ReadComputeWish(pod.annotations);
  if (!compute) return Forward(compute);
  auto resizes = ReadResizes(pod.annotations);
  if (!resizes) return Forward(resizes);
  const Wishes wanted{.compute = *compute, .resizes = std::move(*resizes)};
  for (const ContainerView& view : pod.containers) {
    auto container = ReadContainer(view, wanted);
    if (!container) return Forward(container);
    request.containers.push_back(std::move(*container));
  }
  if (auto misfit = MisfitOf(wanted.resizes, request.containers))
    return Fail(Errc::kInvalid, std::move(*misfit));
  auto wishes = ReadCardWishes(pod.annotations);
  if (!wishes) return Forward(wishes);
  request.wishes = std::move(*wishes);
  auto host = ReadHostNeed(pod);
  if (!host) return Forward(host);
  request.host = *host;
  return request;
}

bool IsForNvidiasPlugin(const PodView& pod) {
  bool asks = false;
  for (const ContainerView& container : pod.containers)
    for (const Field& field : kFields) {
      const bool names = Find(container.limits, field.resource) != nullptr ||
                         Find(container.requests, field.resource) != nullptr;
      if (!names) continue;
      if (field.amount != &Named::whole_cards) return false;
      asks = true;
    }
  return asks;
}

PodView WithoutNvidiasCards(PodView pod) {
  for (ContainerView& container : pod.containers) {
    container.limits.erase(abi::kResourceNvidiaGpu);
    container.requests.erase(abi::kResourceNvidiaGpu);
  }
  return pod;
}

Result<StandingRequest> ParseOfPlacedPod(const PodView& pod) {
  auto request = ParseWarpshareNames(pod);
  if (request) return StandingRequest{.request = std::move(*request)};
  PodView spec = pod;
  spec.annotations.clear();
  auto without = ParseWarpshareNames(spec);
  if (!without) return Forward(request);
  return StandingRequest{.request = std::move(*without), .bad_wish = request.error()};
}

}  // namespace warpshare::request
