// What submissions cost the card, by the name of the work. A cache of 4096 names: a name that finds
// no room takes the place of one that is known less than others, and is learned anew.
//
// Any thread, no lock. Two threads that learn one name at the same time may lose one sample; two
// that enter names at the same place, one name.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/compute/packed_ns.h"
#include "interposer/compute/timing.h"

namespace warpshare::interposer {

// What the samples of a cost are: as measured; one, and it is doubtful; one, as good as none.
enum class Sample : uint8_t { kGood, kDoubtful, kGuess };

class alignas(32) Cost {
 public:
  // Of the work that it stands for.
  uint64_t name() const { return name_.load(std::memory_order_relaxed); }
  // Of one submission, in ns; meaningless before the first sample.
  uint64_t ns() const { return ns_.load(std::memory_order_relaxed); }
  uint32_t samples() const { return samples_.load(std::memory_order_relaxed); }
  // Whether it is known well what one costs.
  bool is_sure() const {
    return samples() >= kNewSamples && doubts_.load(std::memory_order_relaxed) == 0;
  }
  // One costs much more than another: the mean says little of a single one.
  bool varies() const {
    const uint64_t longer_ns = LongerByNs();
    return longer_ns > ns() / kVariesPart && longer_ns > kLeastVaryingNs;
  }
  // Whether the price of all of them is the price of each.
  bool is_steady() const { return is_sure() && !varies(); }
  // By how much the longest of late is longer than the mean.
  uint64_t LongerByNs() const {
    const uint64_t longest_ns = longest_.load(std::memory_order_relaxed).Ns();
    const uint64_t mean_ns = ns();
    return longest_ns > mean_ns ? longest_ns - mean_ns : 0;
  }
  // Known, and a turn has several of them.
  bool IsOneOfMany() const { return samples() >= kKnownSamples && ns() <= abi::kMostAheadNs; }
  // And so well, and so much alike, that what lasts longer was not at the card all that time.
  bool IsTold() const { return IsOneOfMany() && samples() == UINT8_MAX && !varies(); }
  // No sample says anything yet.
  bool is_unknown() const {
    return samples() == 0 || trust_.load(std::memory_order_relaxed) == Sample::kGuess;
  }

  // A mean over all samples at first, then one that forgets, and that no single one raises by more
  // than half, or as much again where they vary: the machine may have stopped somebody in the
  // middle of it.
  void Learn(uint64_t ns);
  // One lasted so long at least, beside nothing else.
  void NoteLongest(uint64_t ns);
  // It lasted no less and no more than that: known no better, it stays what it is.
  void LearnBetween(uint64_t least_ns, uint64_t most_ns);
  // The same where whoever saw the end may have been late, as he mostly is: it falls to what was
  // not as long, and rises a little for all that was longer. However little it was known before.
  void LearnSeenLate(uint64_t least_ns, uint64_t most_ns);
  // What was measured beside work of other streams lasted no longer than that, and no less: both
  // but for how well those are known.
  // One raises it by a `part` at most.
  static constexpr uint64_t kRoughRaise = 64;
  void LearnRough(uint64_t least_ns, uint64_t most_ns, uint64_t part = kRoughRaise);
  // What was measured beside other work can only be too long, and no less than what that does not
  // account for: where it is not known yet, nothing else may ever mend what is too short.
  void LearnAtMost(uint64_t least_ns, uint64_t most_ns);
  // Beside other tenants, for nobody knows how much of the time: no more than that, if nothing else
  // is known.
  void LearnBeside(uint64_t most_ns);
  // The first, and it may be much too long, or too short: the next one takes its place.
  void LearnDoubtful(uint64_t ns);
  // The same, and it is as good as none.
  void LearnGuess(uint64_t ns);
  // It lasted so long, from `begin_ns` to `end_ns`, and calls for more of it were held back
  // meanwhile: either it is that long, or it waited for them. The second time in a row it is taken
  // to be that long; if it is later still, that was wrong.
  void LearnDistrusted(uint64_t ns, uint64_t begin_ns, uint64_t end_ns);
  // It ended by itself.
  void Trust() { doubts_.store(0, std::memory_order_relaxed); }

  // What it stands for was changed, and may last longer or shorter once or from now on: to be timed
  // at the next opportunity, which is who takes it.
  void Change() { is_changed_.store(true, std::memory_order_relaxed); }
  bool TakeChange() {
    return is_changed_.load(std::memory_order_relaxed) &&
           is_changed_.exchange(false, std::memory_order_relaxed);
  }

 private:
  friend class CostTable;

  void CountSample() {
    const uint32_t samples = this->samples();
    if (samples != UINT8_MAX)
      samples_.store(static_cast<uint8_t>(samples + 1), std::memory_order_relaxed);
  }
  bool is_doubtful() const { return trust_.load(std::memory_order_relaxed) != Sample::kGood; }

  static constexpr uint32_t kMemory = 8;
  static constexpr uint32_t kVariesPart = 4;
  // Of the longest, a sample takes so much, or as much less as it is shorter than kVaryingTimedNs:
  // what came once in some hundreds, or in some ten milliseconds, is not forgotten.
  static constexpr uint32_t kLongestMemory = 256;

  std::atomic<uint64_t> name_;  // 0: free
  std::atomic<uint64_t> ns_;
  std::atomic<PackedNs> longest_;
  std::atomic<uint8_t> samples_;  // no more are told apart
  std::atomic<Sample> trust_;
  std::atomic<bool> is_changed_;
  std::atomic<uint8_t> doubts_;  // distrusted laps in a row; kBelieved: it is taken to be that long
  std::atomic<uint64_t> doubted_;  // of the first: when it ended; if believed: ns() before

  static constexpr uint8_t kBelieved = 2;
};

class CostTable {
 public:
  // `name` is never 0. The reference stays, though it may come to stand for another name.
  Cost& Of(uint64_t name) {
    Cost& first = costs_[name >> kDropBits];
    return first.name_.load(std::memory_order_relaxed) == name ? first : Search(name);
  }

 private:
  static constexpr uint32_t kBits = 12;
  static constexpr uint32_t kDropBits = 64 - kBits;
  static constexpr uint32_t kNames = 1u << kBits;
  static constexpr uint32_t kProbes = 8;

  Cost& Search(uint64_t name);

  Cost costs_[kNames];
};

}  // namespace warpshare::interposer
