#include "node/arbiter/card_arbiter.h"

#include <algorithm>
#include <utility>

#include "node/arbiter/timing.h"

namespace warpshare::node {

namespace {

bool IsCapped(const share::Terms& terms) {
  return terms.mode == share::Mode::kHard && terms.share_permille < share::kWholeCard;
}

bool IsLow(const share::Terms& terms) {
  return terms.mode == share::Mode::kPriority && !share::IsHigh(terms);
}

}  // namespace

CardArbiter::~CardArbiter() {
  for (const Seat& seat : seats_) WordOf(seat).Abandon();
}

void CardArbiter::Add(share::TenantId id, const TenantPages& pages) {
  seats_.push_back({.pages = pages, .work = TenantWork(id, pages), .calls = {}});
}

void CardArbiter::Remove(share::TenantId id) {
  const Seat* seat = Find(id);
  if (seat == nullptr) return;
  WordOf(*seat).Abandon();
  std::erase_if(seats_, [id](const Seat& each) { return each.id() == id; });
  if (runner_ == id) runner_.reset();
  std::erase_if(beside_, [id](const share::Turn& turn) { return turn.tenant == id; });
}

uint64_t CardArbiter::Step(uint64_t now_ns) {
  LookAtAll(now_ns);
  CountGranted(now_ns);
  const uint64_t next_ns = IsDraining(now_ns) ? DrainLook() : Arbitrate(now_ns);
  const uint64_t look_ns = std::max(SoonerForSome(next_ns, now_ns), now_ns + kLeastLookNs);
  WriteTurns(now_ns, look_ns);
  return look_ns;
}

void CardArbiter::LookAtAll(uint64_t now_ns) {
  for (Seat& seat : seats_) {
    seat.work.Look(now_ns, seat.runs_since_ns);
    seat.calls.Note(seat.work.attention(), now_ns);
  }
  LookBehind(now_ns);
}

// What the one before left on the card is over when its process says so, whatever was expected.
void CardArbiter::LookBehind(uint64_t now_ns) {
  const Seat* former = former_ ? Find(*former_) : nullptr;
  const bool is_late =
      former != nullptr && former->work.is_overdue() && now_ns < runner_since_ns_ + kMostLateEndNs;
  const bool was_late = std::exchange(former_is_late_, is_late);
  if (was_late || former_is_late_) card_free_ns_ = now_ns;
}

void CardArbiter::CountGranted(uint64_t now_ns) {
  for (const Seat& seat : seats_)
    if (share::TurnOf(turn_, beside_, seat.id()) != nullptr)
      WordOf(seat).AddGranted(now_ns - stepped_ns_);
  stepped_ns_ = now_ns;
}

// Each of those that shared the card says when it would be done by itself: together they need the
// sum.
uint64_t CardArbiter::AllInFlightNs(uint64_t now_ns) const {
  uint64_t sum_ns = 0;
  for (const Seat& seat : seats_)
    if (seat.work.is_held_back() && seat.IsInFlight(now_ns))
      sum_ns += seat.work.surely_until_ns() - now_ns;
  return std::min(sum_ns, kMostDrainNs);
}

bool CardArbiter::IsDraining(uint64_t now_ns) {
  if (!drain_) return false;
  if (drain_->is_of_all) {
    card_free_ns_ = drain_->at_most_until_ns;
    if (now_ns + kHandoverNs < card_free_ns_) return true;
    drain_.reset();
    return false;
  }
  Seat* seat = Find(drain_->tenant);
  const bool is_waited_for = seat != nullptr && seat->IsInFlight(now_ns + kHandoverNs);
  if (is_waited_for && now_ns < drain_->at_most_until_ns) return true;
  if (is_waited_for) {
    handover_.Spoil();
    const uint64_t said_ns = seat->work.tenant().used_ns - drain_->used_ns;
    const uint64_t took_ns = now_ns - drain_->began_ns;
    seat->work.ChargeByClock(took_ns - std::min(said_ns, took_ns), !seat->is_distrusted);
  }
  if (seat != nullptr) {
    seat->is_distrusted = is_waited_for;
    NoteCardFree(*seat, now_ns);
  }
  drain_.reset();
  return false;
}

// For the next one's turn. What was waited for in vain is not believed.
void CardArbiter::NoteCardFree(const Seat& seat, uint64_t now_ns) {
  card_free_ns_ = std::min(seat.work.busy_until_ns(), now_ns + kHandoverNs);
  const uint64_t in_flight_ns = card_free_ns_ - std::min(card_free_ns_, now_ns);
  handover_.End(card_free_ns_, seat.work.tenant().used_ns + in_flight_ns);
}

uint64_t CardArbiter::DrainLook() {
  if (drain_->is_of_all) return drain_->at_most_until_ns - kHandoverNs;
  const uint64_t end_ns = Find(drain_->tenant)->work.surely_until_ns();
  return std::min(end_ns - kHandoverNs, drain_->at_most_until_ns);
}

uint64_t CardArbiter::Arbitrate(uint64_t now_ns) {
  FillSnapshot();
  const share::Snapshot snapshot{.now_ns = now_ns,
                                 .turn = turn_,
                                 .tenants = tenants_,
                                 .handover_ns = handover_.ns(),
                                 .is_card_anothers = former_is_late_,
                                 .beside = beside_};
  share::Advance(accounts_, snapshot);
  share::Decision decision = share::Decide(snapshot, accounts_);
  if (is_shared_ && !accounts_.shared.are_on && EndSharing(now_ns)) return DrainLook();
  is_shared_ = accounts_.shared.are_on;
  const std::optional<share::TenantId> next = NextRunner(decision, now_ns);
  if (runner_ && runner_ != next && Withdraw(now_ns)) return DrainLook();
  turn_ = decision.turn;
  beside_ = std::move(decision.beside);
  if (runner_ != next) BeginRun(next, now_ns);
  return std::min(decision.look_again_ns, WatchHolder(now_ns));
}

// True: what those that shared the card have in flight must be waited for.
bool CardArbiter::EndSharing(uint64_t now_ns) {
  is_shared_ = false;
  runner_.reset();
  turn_.reset();
  beside_.clear();
  last_.reset();
  former_.reset();
  for (Seat& seat : seats_) {
    if (!seat.work.is_held_back()) continue;
    WordOf(seat).Set(false);
    seat.work.Look(now_ns, share::kNever);
  }
  drain_ = {.tenant = 0,
            .is_of_all = true,
            .began_ns = now_ns,
            .at_most_until_ns = now_ns + AllInFlightNs(now_ns),
            .used_ns = 0};
  return IsDraining(now_ns);
}

void CardArbiter::BeginRun(std::optional<share::TenantId> next, uint64_t now_ns) {
  is_card_its_own_ = next && last_ == next;
  if (next && last_ != next) former_ = std::exchange(last_, next);
  runner_ = next;
  runner_since_ns_ = now_ns;
  handover_.Spoil();
  if (next && !is_shared_ && now_ns < card_free_ns_ + kMostBeganLateNs)
    handover_.Begin(card_free_ns_, Find(*next)->work.tenant().used_ns);
}

bool CardArbiter::OthersWant(const Seat& runner) const {
  return std::ranges::any_of(tenants_, [&](const share::Tenant& tenant) {
    return tenant.wants && tenant.id != runner.id() &&
           share::TurnOf(std::nullopt, beside_, tenant.id) == nullptr;
  });
}

// Who is not held back any more, or gone, has nothing to hold.
void CardArbiter::FillSnapshot() {
  tenants_.clear();
  for (const Seat& seat : seats_) {
    if (!seat.work.is_held_back()) continue;
    tenants_.push_back(seat.work.tenant());
    if (!WorksAlone(seat)) continue;
    tenants_.back().wants = true;
    tenants_.back().since_ns = seat.work.worked_since_ns();
  }
  const auto is_in = [this](share::TenantId id) {
    return std::ranges::find(tenants_, id, &share::Tenant::id) != tenants_.end();
  };
  if (turn_ && !is_in(turn_->tenant)) turn_.reset();
  if (runner_ && !is_in(*runner_)) runner_.reset();
  std::erase_if(beside_, [&](const share::Turn& turn) { return !is_in(turn.tenant); });
}

// That it has no work at a look says little of a program that waits for each of its kernels: the
// look itself may have taken the processor from it. While nobody else waits, what it did since the
// look before says more.
bool CardArbiter::WorksAlone(const Seat& seat) const {
  return runner_ == seat.id() && IsCapped(seat.work.tenant().terms) &&
         seat.work.worked_since_ns() != 0 &&
         std::ranges::none_of(seats_, [](const Seat& other) { return other.work.tenant().wants; });
}

// Without a turn, whoever ran last may go on as soon as it has work again.
std::optional<share::TenantId> CardArbiter::NextRunner(const share::Decision& decision,
                                                       uint64_t now_ns) {
  if (decision.turn) return decision.turn->tenant;
  const Seat* seat = runner_ ? Find(*runner_) : nullptr;
  if (seat == nullptr || seat->work.tenant().wants || WorksAlone(*seat)) return std::nullopt;
  const share::Tenant& tenant = seat->work.tenant();
  if (IsCapped(tenant.terms) && now_ns - tenant.since_ns >= kCappedRestNs) return std::nullopt;
  return runner_;
}

// True: what it has in flight must be waited for. What it submitted before it could see the word is
// seen by looking once more. Where turns are shared nobody waits for anybody.
bool CardArbiter::Withdraw(uint64_t now_ns) {
  Seat& seat = *Find(*runner_);
  runner_.reset();
  if (is_shared_) return false;
  WordOf(seat).Set(false);
  seat.work.Look(now_ns, share::kNever);
  if (!seat.IsInFlight(now_ns + kHandoverNs)) {
    seat.is_distrusted = false;
    NoteCardFree(seat, now_ns);
    return false;
  }
  const uint64_t at_most_ns = seat.is_distrusted ? kMostDistrustedDrainNs : kMostDrainNs;
  drain_ = {.tenant = seat.id(),
            .began_ns = now_ns,
            .at_most_until_ns = now_ns + at_most_ns,
            .used_ns = seat.work.tenant().used_ns};
  return true;
}

// That work ended when it was expected to is not told, so somebody else may wait for nothing.
uint64_t CardArbiter::WatchHolder(uint64_t now_ns) {
  const Seat* runner = runner_ ? Find(*runner_) : nullptr;
  if (runner == nullptr) return share::kNever;
  const uint64_t end_ns = runner->work.busy_until_ns();
  const bool others_want = OthersWant(*runner);
  handover_.Watch(end_ns - std::min(end_ns, now_ns), others_want);
  if (!turn_) return IsCapped(runner->work.tenant().terms) ? now_ns + kCappedLookNs : share::kNever;
  if (!others_want || !runner->IsInFlight(now_ns)) return share::kNever;
  return std::max(runner->work.surely_until_ns(), now_ns + kWatchNs);
}

bool CardArbiter::HasTurn(const Seat& seat) const {
  return runner_ == seat.id() || share::TurnOf(std::nullopt, beside_, seat.id()) != nullptr;
}

// 0: what the ABI says.
uint32_t CardArbiter::MostAheadUs(const Seat& seat, bool has_high) const {
  const share::Terms& terms = seat.work.tenant().terms;
  if (seats_.size() == 1 && !IsCapped(terms)) return kLoneAheadUs;
  return has_high && IsLow(terms) ? kLowAheadUs : 0;
}

void CardArbiter::WriteTurns(uint64_t now_ns, uint64_t look_ns) {
  const bool has_high = std::ranges::any_of(
      tenants_, [](const share::Tenant& tenant) { return share::IsHigh(tenant.terms); });
  for (Seat& seat : seats_) {
    const bool has_turn = seat.work.is_held_back() && HasTurn(seat);
    const bool may_run = !seat.work.is_held_back() || has_turn;
    if (!has_turn) seat.runs_since_ns = share::kNever;
    if (has_turn && seat.runs_since_ns == share::kNever) seat.runs_since_ns = now_ns;
    WordOf(seat).Renew(now_ns + kValidNs);
    WordOf(seat).SetMostAhead(MostAheadUs(seat, has_high));
    WordOf(seat).SetCardFree(is_card_its_own_ ? abi::kCardWasItsOwn : card_free_ns_);
    const bool ends = seat.work.is_held_back() && IsCapped(seat.work.tenant().terms);
    WordOf(seat).SetShared(is_shared_, now_ns);
    WordOf(seat).SetEnd(ends ? look_ns + kLateNs : 0, seat.work.waits());
    WordOf(seat).Set(may_run);
  }
}

uint64_t CardArbiter::SoonerForSome(uint64_t next_ns, uint64_t now_ns) const {
  next_ns = std::min(next_ns, now_ns + kRenewNs);
  for (const Seat& seat : seats_) {
    if (!seat.work.IsSeenWhole()) next_ns = std::min(next_ns, now_ns + kNextSlotsNs);
    if (seat.calls.IsReached()) next_ns = std::min(next_ns, seat.calls.window_end_ns());
  }
  return next_ns;
}

void CardArbiter::AppendCalls(std::vector<platform::FutexWait>& waits) const {
  for (const Seat& seat : seats_)
    if (!seat.calls.IsReached() && !seat.work.is_cut_short())
      waits.push_back({seat.pages.attention, seat.work.attention()});
}

std::vector<CardArbiter::Problem> CardArbiter::Problems() const {
  std::vector<Problem> problems;
  for (const Seat& seat : seats_)
    if (!seat.work.problem().empty()) problems.push_back({seat.id(), seat.work.problem()});
  return problems;
}

bool CardArbiter::HasProblems() const {
  return std::ranges::any_of(seats_, [](const Seat& seat) { return !seat.work.problem().empty(); });
}

CardArbiter::Seat* CardArbiter::Find(share::TenantId id) {
  const auto at = std::ranges::find(seats_, id, &Seat::id);
  return at != seats_.end() ? &*at : nullptr;
}

TurnWord CardArbiter::WordOf(const Seat& seat) const { return {seat.pages.card->turn, futex_}; }

}  // namespace warpshare::node
