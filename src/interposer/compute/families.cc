#include "interposer/compute/families.h"

namespace warpshare::interposer {

namespace {

// Shapes whose sizes differ by less than a tenth, all in all, tell nothing of what a thread costs.
constexpr double kAlike = 0.01;

uint64_t Within(double ns, uint64_t least_ns, uint64_t most_ns) {
  if (ns <= static_cast<double>(least_ns)) return least_ns;
  return ns >= static_cast<double>(most_ns) ? most_ns : static_cast<uint64_t>(ns);
}

}  // namespace

// By one shape alone: with more threads in proportion, with fewer the same. Rather too much than
// too little, so that what is in flight stays bounded.
uint64_t Family::NsOf(uint64_t threads) const {
  if (samples_.load(std::memory_order_relaxed) == 0) return 0;
  const double mean_ns = ns_.load(std::memory_order_relaxed);
  const double mean = threads_.load(std::memory_order_relaxed);
  const double slope = slope_.load(std::memory_order_relaxed);
  const double more = SizeOf(threads) - mean;
  if (slope >= 0) return Within(mean_ns + slope * more, kLeastNs, kMostNs);
  const double part = more > 0 && mean > 0 ? SizeOf(threads) / mean : 1;
  return Within(mean_ns * part, kLeastNs, kMostNs);
}

void Family::Teach(uint64_t threads, uint64_t ns) {
  const uint32_t samples = samples_.load(std::memory_order_relaxed);
  const double weight = 1.0 / (samples < kMemory ? samples + 1 : kMemory);
  const double mean = samples == 0 ? 0 : threads_.load(std::memory_order_relaxed);
  const double mean_ns = samples == 0 ? 0 : ns_.load(std::memory_order_relaxed);
  const double more = SizeOf(threads) - mean;
  const double longer = static_cast<double>(ns) - mean_ns;
  const double kept = samples == 0 ? 0 : 1 - weight;
  variance_ = kept * (variance_ + weight * more * more);
  covariance_ = kept * (covariance_ + weight * more * longer);
  const double now = mean + weight * more;
  const bool is_told = variance_ > kAlike * now * now;
  const double slope = is_told && covariance_ > 0 ? covariance_ / variance_ : 0;
  threads_.store(now, std::memory_order_relaxed);
  ns_.store(mean_ns + weight * longer, std::memory_order_relaxed);
  slope_.store(is_told ? slope : -1, std::memory_order_relaxed);
  if (samples < kMemory) samples_.store(samples + 1, std::memory_order_relaxed);
}

void Family::TeachBetween(uint64_t threads, uint64_t least_ns, uint64_t most_ns) {
  const uint64_t known_ns = NsOf(threads);
  if (known_ns == 0 || known_ns > most_ns) return Teach(threads, most_ns);
  Teach(threads, known_ns < least_ns ? least_ns : known_ns);
}

const Family* Families::Find(const Work& work) const {
  const void* function = work.function;
  if (function == nullptr) return nullptr;
  const uint32_t home = Home(function);
  for (uint32_t i = 0; i < kProbes; ++i) {
    const Family& family = families_[(home + i) % kFamilies];
    const void* there = family.function_.load(std::memory_order_relaxed);
    if (there == function) return &family;
    if (there == nullptr) return nullptr;
  }
  return nullptr;
}

Family* Families::Of(const Work& work) {
  if (work.function == nullptr) return nullptr;
  const uint32_t home = Home(work.function);
  Family* least = nullptr;
  for (uint32_t i = 0; i < kProbes; ++i) {
    Family& family = families_[(home + i) % kFamilies];
    const void* there = family.function_.load(std::memory_order_relaxed);
    if (there == work.function) return &family;
    const bool is_less = least == nullptr || family.samples_ < least->samples_;
    if (is_less) least = &family;
    if (there == nullptr) break;
  }
  least->samples_.store(0, std::memory_order_relaxed);
  least->function_.store(work.function, std::memory_order_relaxed);
  return least;
}

}  // namespace warpshare::interposer
