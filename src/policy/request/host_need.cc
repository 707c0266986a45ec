#include "policy/request/host_need.h"

#include <algorithm>
#include <optional>

#include "policy/request/quantity.h"
#include "types/printable.h"

namespace warpshare::request {

namespace {

// Sums stop here: as good as never fitting, and they cannot overflow.
constexpr uint64_t kMost = uint64_t{1} << 62;

uint64_t Sum(uint64_t a, uint64_t b) {
  return std::min(std::min(a, kMost) + std::min(b, kMost), kMost);
}

// The peak of one resource over the containers, taken in their order.
class Peak {
 public:
  void Add(ContainerKind kind, uint64_t amount) {
    switch (kind) {
      case ContainerKind::kInit:
        init_ = std::max(init_, Sum(sidecars_, amount));
        return;
      case ContainerKind::kSidecar:
        sidecars_ = Sum(sidecars_, amount);
        init_ = std::max(init_, sidecars_);
        return;
      case ContainerKind::kOrdinary:
        ordinary_ = Sum(ordinary_, amount);
    }
  }
  uint64_t amount() const { return std::max(init_, Sum(sidecars_, ordinary_)); }

 private:
  uint64_t init_ = 0;
  uint64_t sidecars_ = 0;
  uint64_t ordinary_ = 0;
};

// 0 where the container names none; a limit alone is the request, too.
std::optional<uint64_t> Read(const ContainerView& container, const char* resource,
                             std::optional<uint64_t> (*parse)(std::string_view)) {
  const std::string* text = Find(container.requests, resource);
  if (text == nullptr) text = Find(container.limits, resource);
  if (text == nullptr) return 0;
  return parse(*text);
}

}  // namespace

Result<HostNeed> ReadHostNeed(const PodView& pod) {
  Peak cpu;
  Peak memory;
  for (const ContainerView& container : pod.containers) {
    const auto cpu_milli = Read(container, "cpu", &QuantityInMilli);
    const auto bytes = Read(container, "memory", &QuantityInUnits);
    if (!cpu_milli || !bytes)
      return Fail(Errc::kInvalid, "container " + Printable(container.name, 64) +
                                      ": cpu or memory is not a quantity: write 500m, 1Gi");
    cpu.Add(container.kind, *cpu_milli);
    memory.Add(container.kind, *bytes);
  }
  return HostNeed{.cpu_milli = cpu.amount(), .memory = Bytes(memory.amount())};
}

}  // namespace warpshare::request
