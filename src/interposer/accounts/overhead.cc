#include "interposer/accounts/overhead.h"

#include "interposer/accounts/accounts.h"

namespace warpshare::interposer {

namespace {

// Where nothing can be measured: no NVML, or none that tells anything to be believed.
constexpr uint64_t kAssumedContext = uint64_t{512} << 20;

// No driver's context takes more. What a card lost meanwhile may be what another tenant allocated
// just then, and it is learned for all contexts to come.
constexpr uint64_t kMostBelievableContext = uint64_t{2} << 30;

Accounts::OfCard& StateOf(const CardAccount& account) {
  return Accounts::OfProcess().of_card[account.card()];
}

}  // namespace

OverheadCall::OverheadCall(const Place& place, Overhead kind, uint64_t most)
    : account_(*place.account),
      kind_(kind),
      most_(most),
      meter_(place),
      patience_(*Session::Current()) {}

abi::CardUsageV1& OverheadCall::usage() const {
  return Session::Current()->usage().cards[account_.card()];
}

bool OverheadCall::Begin() {
  if (account_.card() >= abi::kMaxCards) return account_.Refuse(0);
  if (kind_ == Overhead::kContext && !BeginContext()) return false;
  if (kind_ == Overhead::kCode && !BeginCode()) return false;
  if (kind_ == Overhead::kOther && !BeginOther()) return false;
  const bool can_measure = meter_.Begin(held_, expected_);
  if (!can_measure && kind_ == Overhead::kContext && expected_ == 0) expected_ = kAssumedContext;
  return true;
}

bool OverheadCall::BeginContext() {
  const auto& cost = usage().context_bytes;
  if (!AwaitKnown([&] { return cost.load(std::memory_order_acquire) != 0; }))
    return HoldToMeasure();
  expected_ = cost.load(std::memory_order_relaxed);
  held_ = expected_;
  return Reserve(account_, held_);
}

bool OverheadCall::BeginCode() {
  const auto& cost = usage().code_least_plus_1;
  if (!AwaitKnown([&] { return cost.load(std::memory_order_acquire) != 0; }))
    return HoldToMeasure();
  const uint64_t least = cost.load(std::memory_order_relaxed) - 1;
  expected_ = usage().code_most.load(std::memory_order_relaxed);
  if (least < expected_ && account_.TryHoldRoom(expected_)) {
    held_ = room_ = expected_;
    return true;
  }
  held_ = least;
  return Reserve(account_, held_);
}

MeasuringTurn OverheadCall::TurnToMeasure() const {
  auto& state = StateOf(account_);
  const bool is_code = kind_ == Overhead::kCode;
  return {*Session::Current(), is_code ? usage().code_prober : usage().context_prober,
          is_code ? state.measures_code : state.measures_context};
}

// False: this call is to find it out.
template <typename IsKnown>
bool OverheadCall::AwaitKnown(IsKnown is_known) {
  if (is_known()) return true;
  has_turn_ = TurnToMeasure().Await(is_known, patience_);
  return !has_turn_ && is_known();
}

bool OverheadCall::BeginOther() {
  if (most_ == kNothing || !account_.IsLimited()) return true;
  if (most_ == kUnknown) return HoldToMeasure();
  if (!HoldPatiently(most_, [this] { return account_.TryHoldRoom(most_); })) return false;
  held_ = room_ = most_;
  return true;
}

// Tries until `least` bytes do not fit, even with the room that calls in flight hold.
template <typename TryHold>
bool OverheadCall::HoldPatiently(uint64_t least, TryHold try_hold) {
  if (try_hold()) return true;
  Accounts::OfProcess().pools.ShrinkAll();
  Accounts::OfProcess().graph_memory.ShrinkAll();
  Session::Current()->Sweep();
  while (!try_hold()) {
    if (!account_.MayFit(least) || !patience_.Wait()) return account_.Refuse(least);
  }
  return true;
}

// All that is free, so that the limit holds whatever the call takes; with nothing free it is not
// made at all.
bool OverheadCall::HoldToMeasure() {
  const auto hold = [this] {
    HoldAllThatIsFree();
    return held_ != 0 || !account_.IsLimited();
  };
  const bool holds = HoldPatiently(1, hold);
  if (!holds) EndTurn();
  room_ = held_;
  return holds;
}

void OverheadCall::HoldAllThatIsFree() {
  // Others may take some in between; a few attempts get nearly all.
  constexpr int kAttempts = 8;
  for (int i = 0; i < kAttempts && account_.IsLimited(); ++i) {
    const uint64_t limit = account_.LimitBytes();
    const uint64_t used = account_.UsedBytes();
    const uint64_t free = limit > used ? limit - used : 0;
    if (free == 0) break;
    if (account_.TryHoldRoom(free)) held_ += free;
  }
}

uint64_t OverheadCall::MostBelievable() const {
  constexpr uint64_t kMost = GrowthMeter::kMostBelievable;
  return most_ != kUnknown && most_ > kMost ? most_ : kMost;
}

// Of a context it is believed only of this process's own part that it took nothing. What the card
// lost may be others' doing.
uint64_t OverheadCall::Measured() {
  const uint64_t most = MostBelievable();
  const uint64_t bytes = meter_.End(expected_, most);
  const bool is_odd = !meter_.is_exact() && (bytes == 0 || bytes > kMostBelievableContext);
  if (kind_ == Overhead::kContext && is_odd) return kAssumedContext;
  return bytes < most ? bytes : most;
}

// For the whole tenant; a measurement that is not exact tells nothing about the next call.
void OverheadCall::Learn(uint64_t bytes) {
  if (kind_ == Overhead::kContext && has_turn_ && bytes != 0) {
    usage().context_bytes.store(bytes, std::memory_order_release);
  }
  if (kind_ != Overhead::kCode || !meter_.is_exact()) return;
  std::atomic<uint64_t>& most = usage().code_most;
  uint64_t known = most.load(std::memory_order_relaxed);
  while (bytes > known && !most.compare_exchange_weak(known, bytes, std::memory_order_relaxed)) {
  }
  std::atomic<uint64_t>& least = usage().code_least_plus_1;
  known = least.load(std::memory_order_relaxed);
  while ((known == 0 || bytes + 1 < known) &&
         !least.compare_exchange_weak(known, bytes + 1, std::memory_order_release)) {
  }
}

// Once the room is there that the waiting ones need.
void OverheadCall::EndTurn() {
  account_.EndRoom(room_);
  if (has_turn_) TurnToMeasure().End();
}

void OverheadCall::Cancel() {
  account_.GiveBack(held_);
  EndTurn();
}

bool OverheadCall::End(uint64_t& bytes) {
  bytes = Measured();
  account_.GiveBack(bytes < held_ ? held_ - bytes : 0);
  meter_.Settle(bytes);
  Learn(bytes);
  EndTurn();
  if (bytes <= held_ || account_.Charge(bytes - held_)) return true;
  account_.GiveBack(held_);
  return false;
}

CUresult AllocateOverhead(const OverheadRequest& request) {
  OverheadCall overhead(request.place, request.kind);
  if (!overhead.Begin()) return Refuse(request.place, request.call, request.undo);
  if (const CUresult result = request.call(); result != CUDA_SUCCESS) {
    overhead.Cancel();
    return result;
  }
  Live live = ChargedItself(request.place, 0);
  if (overhead.End(live.bytes)) {
    if (Remember(request.table, request.key(), live)) return CUDA_SUCCESS;
    Bury(live);
  }
  (void)request.undo();
  return CUDA_ERROR_OUT_OF_MEMORY;
}

}  // namespace warpshare::interposer
