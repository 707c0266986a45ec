#include "interposer/compute/cost_table.h"

#include "interposer/compute/within.h"

namespace warpshare::interposer {

void Cost::Learn(uint64_t ns) {
  if (trust_.exchange(Sample::kGood, std::memory_order_relaxed) != Sample::kGood)
    samples_.store(0, std::memory_order_relaxed);
  const uint32_t samples = this->samples();
  const uint32_t weight = samples < kMemory ? samples + 1 : kMemory;
  const auto before = static_cast<int64_t>(samples == 0 ? ns : this->ns());
  int64_t after = before + (static_cast<int64_t>(ns) - before) / static_cast<int64_t>(weight);
  const int64_t most = before + (varies() ? before : before / 2);
  if (weight == kMemory && after > most) after = most;
  ns_.store(static_cast<uint64_t>(after), std::memory_order_relaxed);
  if (samples == 0) longest_.store(PackedNs(), std::memory_order_relaxed);
  CountSample();
}

void Cost::NoteLongest(uint64_t ns) {
  const uint64_t before = longest_.load(std::memory_order_relaxed).Ns();
  const uint64_t mean_ns = this->ns();
  const uint64_t most = before / kLongestMemory;
  const uint64_t forgets = mean_ns < kVaryingTimedNs ? most * mean_ns / kVaryingTimedNs : most;
  const uint64_t kept = before - forgets;
  longest_.store(PackedNs(ns > kept ? ns : kept), std::memory_order_relaxed);
}

void Cost::LearnDoubtful(uint64_t ns) {
  Learn(ns);
  trust_.store(Sample::kDoubtful, std::memory_order_relaxed);
}

void Cost::LearnGuess(uint64_t ns) {
  Learn(ns);
  trust_.store(Sample::kGuess, std::memory_order_relaxed);
}

void Cost::LearnDistrusted(uint64_t ns, uint64_t begin_ns, uint64_t end_ns) {
  const uint8_t doubts = doubts_.load(std::memory_order_relaxed);
  const uint64_t known_ns = this->ns();
  if (doubts == kBelieved) {
    if (ns <= known_ns + known_ns / kSameLengthPart) return;
    LearnDoubtful(doubted_.load(std::memory_order_relaxed));
    return Trust();
  }
  // What overlaps with the first may have waited with it.
  const bool is_second =
      doubts != 0 && begin_ns + kLateLookNs >= doubted_.load(std::memory_order_relaxed);
  if (doubts == 0) doubted_.store(end_ns, std::memory_order_relaxed);
  if (is_second) {
    doubted_.store(known_ns, std::memory_order_relaxed);
    LearnDoubtful(ns);
  }
  doubts_.store(is_second ? kBelieved : 1, std::memory_order_relaxed);
}

void Cost::LearnBetween(uint64_t least_ns, uint64_t most_ns) {
  if (is_unknown()) return least_ns == most_ns ? Learn(most_ns) : LearnDoubtful(most_ns);
  Learn(Within(this->ns(), least_ns, most_ns));
}

void Cost::LearnSeenLate(uint64_t least_ns, uint64_t most_ns) {
  const uint64_t before = this->ns();
  const uint64_t little = before / (samples() < kKnownSamples ? kMemory : kRoughRaise);
  uint64_t after = before;
  if (most_ns < before)
    after -= (before - most_ns) / 2;
  else if (least_ns > before)
    after += Within(least_ns - before, 0, before / 2);
  else
    after += Within(most_ns - before, 0, little);
  trust_.store(Sample::kGood, std::memory_order_relaxed);
  ns_.store(after, std::memory_order_relaxed);
  CountSample();
}

void Cost::LearnRough(uint64_t least_ns, uint64_t most_ns, uint64_t part) {
  if (is_unknown()) return Learn(most_ns);
  if (is_doubtful()) return Learn(Within(this->ns(), least_ns, most_ns));
  const uint64_t before = this->ns();
  const uint64_t step = before / part;
  uint64_t after = before;
  if (most_ns < before) after -= (before - most_ns) / kMemory;
  if (least_ns > before) after += least_ns - before < step ? least_ns - before : step;
  ns_.store(after, std::memory_order_relaxed);
  CountSample();
}

void Cost::LearnAtMost(uint64_t least_ns, uint64_t most_ns) {
  if (samples() == 0 || most_ns < this->ns()) return Learn(most_ns);
  if (is_doubtful() && least_ns > this->ns()) LearnDoubtful(least_ns);
}

void Cost::LearnBeside(uint64_t most_ns) {
  if (samples() == 0 || (is_doubtful() && most_ns < this->ns())) LearnDoubtful(most_ns);
}

Cost& CostTable::Search(uint64_t name) {
  const auto home = static_cast<uint32_t>(name >> kDropBits);
  Cost* least = &costs_[home];  // known, of those that it may take the place of
  for (uint32_t i = 0; i < kProbes; ++i) {
    Cost& cost = costs_[(home + i) % kNames];
    if (cost.samples() < least->samples()) least = &cost;
    uint64_t there = cost.name_.load(std::memory_order_relaxed);
    if (there == 0 && cost.name_.compare_exchange_strong(there, name, std::memory_order_relaxed))
      return cost;
    if (there == name) return cost;
  }
  Cost& taken = *least;
  taken.name_.store(name, std::memory_order_relaxed);
  taken.samples_.store(0, std::memory_order_relaxed);
  taken.longest_.store(PackedNs(), std::memory_order_relaxed);
  taken.trust_.store(Sample::kGood, std::memory_order_relaxed);
  taken.doubts_.store(0, std::memory_order_relaxed);
  taken.is_changed_.store(false, std::memory_order_relaxed);
  return taken;
}

}  // namespace warpshare::interposer
