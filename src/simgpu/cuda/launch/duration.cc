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

uint64_t Times(uint64_t number, uint64_t unit_ns) {
  return number > kLongestNs / unit_ns ? kLongestNs : number * unit_ns;
}

std::string_view LastWordOf(std::string_view plain) {
  const size_t underscore = plain.rfind('_');
  return underscore == std::string_view::npos ? "" : plain.substr(underscore + 1);
}

std::optional<uint64_t> DurationIn(std::string_view word) {
  uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const uint64_t unit_ns = UnitNs({rest, static_cast<size_t>(end - rest)});
  return unit_ns == 0 ? std::nullopt : std::optional(Times(number, unit_ns));
}

uint64_t ArgumentUnitNsIn(std::string_view word) {
  constexpr std::string_view kArgument = "arg0";
  return word.starts_with(kArgument) ? UnitNs(word.substr(kArgument.size())) : 0;
}

}  // namespace

NamedBehaviour BehaviourInName(const std::string& name) {
  const std::string plain = PlainName(name);
  const std::string_view word = LastWordOf(plain);
  return {.duration_ns = DurationIn(word),
          .argument_unit_ns = ArgumentUnitNsIn(word),
          .faults = plain.ends_with("_illegal_address")};
}

uint64_t KernelDurationNs(const NamedBehaviour& named, const world::CardSpec& spec,
                          const Grid& grid, uint64_t first_argument) {
  if (named.duration_ns) return *named.duration_ns;
  if (named.argument_unit_ns != 0) return Times(first_argument, named.argument_unit_ns);
  if (spec.kernel_ns > 0) return spec.kernel_ns;
  const uint64_t wave = std::max<uint64_t>(1, uint64_t{grid.sm_count} * grid.blocks_at_once);
  const uint64_t waves = (grid.blocks + wave - 1) / wave;
  return std::min(waves, kLongestNs / kWaveNs) * kWaveNs;
}

}  // namespace simgpu::cuda
