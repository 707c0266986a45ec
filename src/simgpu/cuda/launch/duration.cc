#include "simgpu/cuda/launch/duration.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "simgpu/cuda/module/plain_name.h"

namespace simgpu::cuda {
namespace {

// An hour: nobody means more, and nothing overflows.
constexpr uint64_t kLongestNs = 3'600'000'000'000;

uint64_t UnitNs(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us") return 1'000;
  if (unit == "ms") return 1'000'000;
  return 0;
}

std::optional<uint64_t> DurationAtEndOf(const std::string& plain) {
  const size_t underscore = plain.rfind('_');
  if (underscore == std::string::npos) return std::nullopt;
  const char* const begin = plain.data() + underscore + 1;
  const char* const end = plain.data() + plain.size();
  uint64_t number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  const uint64_t unit_ns = UnitNs({rest, static_cast<size_t>(end - rest)});
  if (error != std::errc() || unit_ns == 0) return std::nullopt;
  return number > kLongestNs / unit_ns ? kLongestNs : number * unit_ns;
}

}  // namespace

NamedBehaviour BehaviourInName(const std::string& name) {
  const std::string plain = PlainName(name);
  return {.duration_ns = DurationAtEndOf(plain), .faults = plain.ends_with("_illegal_address")};
}

uint64_t KernelDurationNs(const NamedBehaviour& named, const world::CardSpec& spec,
                          const Grid& grid) {
  if (named.duration_ns) return *named.duration_ns;
  if (spec.kernel_ns > 0) return spec.kernel_ns;
  const uint64_t wave = std::max<uint64_t>(1, uint64_t{grid.sm_count} * grid.blocks_at_once);
  const uint64_t waves = (grid.blocks + wave - 1) / wave;
  return std::min(waves, kLongestNs / kWaveNs) * kWaveNs;
}

}  // namespace simgpu::cuda
