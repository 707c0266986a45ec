#include "interposer/compute/tenant_cover.h"

#include <bit>

#include "interposer/compute/within.h"
#include "ledger/pair_atomics.h"

namespace warpshare::interposer {

namespace {

// The pair: when the latest lap ended, in units of 64 ns without the highest bits, which leaves a
// fortnight of them, and what is owed; what was charged by then, and how long nothing has been
// covered before that moment, if no lap ended there but work began.
constexpr uint32_t kUnitBits = std::countr_zero(TenantCover::kUnitNs);
constexpr uint32_t kRestBits = 20;
constexpr uint32_t kTimeBits = 64 - kRestBits;

// Two that begin at the same time tell it so far apart.
constexpr int64_t kSlackNs = 20'000;
// No lap, and no gap, is longer.
constexpr int64_t kFarNs = 1'000'000'000;
constexpr int64_t kMostGapNs = 60'000'000;

struct State {
  bool is_begun;
  uint64_t end;  // in units, as the next
  uint64_t over;
  int64_t owed_ns;
  int64_t gap_ns;
};

uint64_t Units(uint64_t ns) { return ns >> kUnitBits; }

// a - b in ns, of what has lost its highest bits.
int64_t Apart(uint64_t a, uint64_t b) {
  const auto units = static_cast<int64_t>((a - b) << kRestBits) >> kRestBits;
  return units * (1 << kUnitBits);
}

uint64_t Rest(int64_t ns) {
  return static_cast<uint64_t>(ns >> kUnitBits) & ((uint64_t{1} << kRestBits) - 1);
}

State Unpack(const abi::Pair& pair) {
  const int64_t owed_units = static_cast<int64_t>(pair.low << kTimeBits) >> kTimeBits;
  return {.is_begun = pair.low != 0,
          .end = pair.low >> kRestBits,
          .over = pair.high >> kRestBits,
          .owed_ns = owed_units * (1 << kUnitBits),
          .gap_ns = static_cast<int64_t>(pair.high << kTimeBits >> kTimeBits << kUnitBits)};
}

abi::Pair Pack(const State& state) {
  return {state.end << kRestBits | Rest(state.owed_ns),
          state.over << kRestBits | Rest(state.gap_ns)};
}

int64_t AtMost(int64_t ns, int64_t most_ns) { return ns < most_ns ? ns : most_ns; }

// What of a lap was not covered, before the moment and after it: it may have begun before what
// there was was taken to be over.
int64_t FreshNs(State& state, const TenantCover::Lap& lap) {
  const int64_t after_ns = Apart(Units(lap.end_ns), state.end);
  const int64_t before_ns = Apart(state.end, Units(lap.begin_ns));
  const int64_t rest_ns = after_ns < 0 ? -after_ns : 0;
  int64_t ns = after_ns > 0 ? after_ns : 0;
  if (lap.is_sole_news && before_ns < 0 && ns > 0) ns = after_ns + before_ns;
  if (state.gap_ns != 0 && before_ns > kSlackNs) {
    const int64_t in_gap_ns = AtMost(before_ns, state.gap_ns);
    if (in_gap_ns > rest_ns) {
      ns += in_gap_ns - rest_ns;
      state.gap_ns = rest_ns;
    }
  }
  if (after_ns > 0) {
    state.end = Units(lap.end_ns);
    state.gap_ns = 0;
  }
  return ns;
}

int64_t TakeOwed(State& state) {
  int64_t owed_ns = 0;
  if (state.owed_ns > TenantCover::kOwedNs) owed_ns = state.owed_ns - TenantCover::kOwedNs;
  if (state.owed_ns < -TenantCover::kOwedNs) owed_ns = state.owed_ns + TenantCover::kOwedNs;
  state.owed_ns -= owed_ns;
  return owed_ns;
}

TenantCover::Stretch Advance(State& state, const TenantCover::Lap& lap, uint64_t over_ns,
                             bool counts) {
  const int64_t since_ns = Apart(Units(over_ns), state.over);
  const int64_t charged_ns = since_ns > 0 ? since_ns : 0;
  int64_t ns = FreshNs(state, lap);
  const auto most_ns = static_cast<int64_t>(Within(lap.most_ns, 0, kFarNs));
  if (ns > most_ns) ns = charged_ns > most_ns ? AtMost(ns, charged_ns) : most_ns;
  if (since_ns > 0) state.over = Units(over_ns);
  const auto fresh_ns = static_cast<uint64_t>(ns);
  const uint64_t least_ns = fresh_ns > lap.unsure_ns ? fresh_ns - lap.unsure_ns : 0;
  const auto told_ns = static_cast<uint64_t>(charged_ns);
  if (!counts) return {.ns = fresh_ns, .charged_ns = told_ns, .owed_ns = 0};
  state.owed_ns += static_cast<int64_t>(Within(told_ns, least_ns, fresh_ns)) - charged_ns;
  return {.ns = fresh_ns, .charged_ns = told_ns, .owed_ns = TakeOwed(state)};
}

}  // namespace

void TenantCover::Begin(abi::Pair& pair, uint64_t now_ns, uint64_t over_ns) {
  abi::Pair before = ledger::LoadHalves(pair);
  for (;;) {
    State state = Unpack(before);
    const int64_t since_ns = Apart(Units(now_ns), state.end);
    const bool is_known = state.is_begun && since_ns > -kFarNs && since_ns < kFarNs;
    if (is_known && since_ns <= (state.gap_ns != 0 ? kSlackNs : 0)) return;
    state.gap_ns = is_known ? AtMost(state.gap_ns + since_ns, kMostGapNs) : kMostGapNs;
    state.is_begun = true;
    state.end = Units(now_ns);
    state.over = Units(over_ns);
    if (ledger::CompareExchange(pair, before, Pack(state))) return;
  }
}

TenantCover::Stretch TenantCover::Add(abi::Pair& pair, const Lap& lap, uint64_t over_ns,
                                      bool counts) {
  abi::Pair before = ledger::LoadHalves(pair);
  for (;;) {
    State state = Unpack(before);
    const int64_t after_ns = Apart(Units(lap.end_ns), state.end);
    if (!state.is_begun || after_ns < -kFarNs || after_ns > kFarNs) return {};
    const Stretch stretch = Advance(state, lap, over_ns, counts);
    if (ledger::CompareExchange(pair, before, Pack(state))) return stretch;
  }
}

}  // namespace warpshare::interposer
