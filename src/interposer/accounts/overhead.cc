#include "interposer/accounts/overhead.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/context_cost.h"

namespace warpshare::interposer {

namespace {

// Where nothing can be measured: no NVML.
constexpr uint64_t kAssumedContext = uint64_t{512} << 20;

Accounts::OfCard& StateOf(const CardAccount& account) {
  return Accounts::OfProcess().of_card[account.card()];
}

}  // namespace

void CodeCost::Learn(uint64_t bytes) {
  uint64_t least = least_plus_1.load(std::memory_order_relaxed);
  while ((least == 0 || bytes + 1 < least) &&
         !least_plus_1.compare_exchange_weak(least, bytes + 1, std::memory_order_relaxed)) {
  }
  uint64_t known = most.load(std::memory_order_relaxed);
  while (bytes > known && !most.compare_exchange_weak(known, bytes, std::memory_order_relaxed)) {
  }
}

OverheadCall::OverheadCall(const Place& place, Overhead kind)
    : account_(*place.account), kind_(kind), meter_(place) {}

bool OverheadCall::Begin() {
  if (account_.card() >= abi::kMaxCards) return account_.Refuse(0);
  if (kind_ == Overhead::kContext && !BeginContext()) return false;
  if (kind_ == Overhead::kCode && !BeginCode()) return false;
  StateOf(account_).overhead_held.fetch_add(held_, std::memory_order_relaxed);
  const bool can_measure = meter_.Begin();
  if (!can_measure && kind_ == Overhead::kContext && expected_ == 0) expected_ = kAssumedContext;
  return true;
}

bool OverheadCall::BeginContext() {
  ContextCost cost(*Session::Current(), account_.card());
  expected_ = cost.Await();
  if (expected_ == 0) {
    is_measuring_for_all_ = true;
    HoldAllThatIsFree();
    return true;
  }
  held_ = expected_;
  return Reserve({.account = &account_}, held_);
}

bool OverheadCall::BeginCode() {
  const CodeCost& cost = StateOf(account_).code_cost;
  const uint64_t least = cost.least_plus_1.load(std::memory_order_relaxed);
  expected_ = cost.most.load(std::memory_order_relaxed);
  if (account_.TryCharge(expected_)) {
    held_ = expected_;
    return true;
  }
  if (least <= 1) return true;
  held_ = least - 1;
  return Reserve({.account = &account_}, held_);
}

void OverheadCall::HoldAllThatIsFree() {
  // Others may take some in between; a few attempts get nearly all.
  constexpr int kAttempts = 8;
  for (int i = 0; i < kAttempts && account_.IsLimited(); ++i) {
    const uint64_t limit = account_.LimitBytes();
    const uint64_t used = account_.UsedBytes();
    const uint64_t free = limit > used ? limit - used : 0;
    if (free == 0) return;
    if (account_.TryHoldRoom(free)) held_ += free;
  }
}

// Before the bytes are given back, so that what this process's data takes is rather over- than
// underestimated meanwhile (Accounts::DataMost).
void OverheadCall::LetGo() {
  StateOf(account_).overhead_held.fetch_sub(held_, std::memory_order_relaxed);
}

void OverheadCall::Cancel() {
  LetGo();
  account_.GiveBack(held_);
  if (is_measuring_for_all_) ContextCost(*Session::Current(), account_.card()).Publish(0);
}

bool OverheadCall::End(uint64_t& bytes) {
  bytes = meter_.End(expected_);
  if (kind_ == Overhead::kCode && meter_.is_exact()) StateOf(account_).code_cost.Learn(bytes);
  LetGo();
  const bool fits = bytes <= held_ || account_.Charge(bytes - held_);
  const uint64_t rest = bytes < held_ ? held_ - bytes : 0;
  account_.GiveBack(fits ? rest : held_);
  account_.NotePeak();
  // Not before the room is there that the waiting ones need.
  if (is_measuring_for_all_) ContextCost(*Session::Current(), account_.card()).Publish(bytes);
  return fits;
}

CUresult AllocateOverhead(const OverheadRequest& request) {
  OverheadCall overhead(request.place, request.kind);
  if (!overhead.Begin()) return CUDA_ERROR_OUT_OF_MEMORY;
  if (const CUresult result = request.call(); result != CUDA_SUCCESS) {
    overhead.Cancel();
    return result;
  }
  Live live{.bytes = 0,
            .card = static_cast<uint8_t>(request.place.account->card()),
            .kind = static_cast<uint8_t>(Charged::kItself),
            .owner = OwnerOf(request.place.context)};
  if (overhead.End(live.bytes)) {
    if (Remember(request.table, request.key(), live)) return CUDA_SUCCESS;
    Bury(live);
  }
  (void)request.undo();
  return CUDA_ERROR_OUT_OF_MEMORY;
}

}  // namespace warpshare::interposer
