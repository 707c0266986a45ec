// A lap that is over: what its work is charged in the end, and what is learned from it.
#include "interposer/compute/laps.h"
#include "interposer/compute/timing.h"
#include "interposer/compute/turn_wait.h"
#include "interposer/compute/within.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

// A float of milliseconds keeps 60 ns up to this distance.
constexpr int64_t kFarNs = 500'000'000;

// The first of its kind: the driver may have loaded code between the events, or other processes may
// have had the processor. What is left is at least the guess, unless it did not even last so long.
uint64_t WithoutDelay(uint64_t lasted_ns, uint64_t held_up_ns, uint64_t guess_ns) {
  const uint64_t rest_ns = lasted_ns > held_up_ns ? lasted_ns - held_up_ns : 0;
  if (rest_ns > guess_ns) return rest_ns;
  return lasted_ns < guess_ns ? lasted_ns : guess_ns;
}

}  // namespace

void Laps::Book(const Lap& lap, CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns) {
  int64_t lasted = 0;
  if (!ElapsedNs(events_.EventOf(lap.begin), events_.EventOf(lap.end), lasted) || lasted < 0) {
    if (lap.is_new) lap.cost->LearnDoubtful(lap.charged_ns / lap.submissions);
    return;
  }
  Covered::Stretch fresh = Cover(lap, static_cast<uint64_t>(lasted));
  fresh.ns = zero_.Without(fresh.ns);
  const uint64_t lasted_ns = zero_.Without(static_cast<uint64_t>(lasted));
  if (WasShared(lap, lasted_ns)) return BookShared(lap, fresh, lasted_ns, queue, page);
  const bool had_company = HadCompany(lap, lasted_ns, queue, page, now_ns);
  if (lap.cost != nullptr && !lap.is_distrusted) lap.cost->Trust();
  if (BookOfTenant(lap, fresh, lasted_ns, had_company, queue, page)) return;
  if (lap.is_new) return BookNew(lap, fresh, lasted_ns, had_company, queue, page, now_ns);
  if (lap.has_gaps || lasted_ns == 0) return;
  if (had_company && lap.is_alone) BookInCompany(lap, fresh, queue, page);
  // Of a lap that begins by itself nobody can tell how much of others' earlier work fell into it.
  if (!had_company && (fresh.joins || lap.others_ns == 0))
    queue.Correct(page, fresh.charged_ns,
                  Within(fresh.charged_ns, LeastNs(lap, fresh.ns), fresh.ns));
  if (lap.cost == nullptr) return;
  const uint64_t each_ns = Part(lasted_ns, lap.charged_ns, lap.all_ns) / lap.submissions;
  if (lap.is_distrusted) return LearnDistrusted(lap, each_ns, lasted_ns, now_ns);
  const bool is_beside = lap.is_alone && (lap.others_ns != 0 || BesideNs(lap) != 0);
  if (!had_company && is_beside) return TeachBeside(lap, lasted_ns);
  // Other streams may have done later what they were given meanwhile.
  if (had_company && !lap.is_alone) return lap.cost->LearnAtMost(0, lasted_ns / lap.submissions);
  if (had_company) {
    const uint64_t own_ns = OwnNs(lap, fresh.ns, page);
    const uint64_t beside_ns = lap.others_ns + BesideNs(lap);
    return TeachInCompany(lap, own_ns > beside_ns ? own_ns - beside_ns : 0, lasted_ns);
  }
  Teach(lap, each_ns);
}

bool Laps::WasShared(const Lap& lap, uint64_t lasted_ns) const {
  const abi::TurnV1* turn = turn_.load(std::memory_order_relaxed);
  return turn != nullptr && WasSharedSince(*turn, lap.at_ns - lasted_ns);
}

// Other tenants used the card meanwhile: it is charged as it was thought to be. Of what was never
// timed that is the most that it can have taken.
void Laps::BookShared(const Lap& lap, const Covered::Stretch& fresh, uint64_t lasted_ns,
                      CardQueue& queue, abi::CardWorkV1& page) {
  if (lap.cost == nullptr || lap.has_gaps) return;
  const uint64_t own_ns = WithoutDelay(lasted_ns, lap.held_up_ns, lap.charged_ns);
  if (lap.is_new) queue.Correct(page, lap.charged_ns, own_ns < fresh.ns ? own_ns : fresh.ns);
  lap.cost->LearnBeside(own_ns / lap.submissions);
}

// Copies of memory that is not pinned return when they are over, whatever they are called.
bool Laps::IsSeenLate(const Lap& lap, uint64_t least_ns, uint64_t most_ns) {
  return lap.ends_late || (lap.is_sized && least_ns != most_ns);
}

void Laps::LearnBetween(const Lap& lap, uint64_t least_ns, uint64_t most_ns) {
  if (IsSeenLate(lap, least_ns, most_ns)) return lap.cost->LearnSeenLate(least_ns, most_ns);
  lap.cost->LearnBetween(least_ns, most_ns);
}

// Of work that was never timed.
void Laps::BookNew(const Lap& lap, const Covered::Stretch& fresh, uint64_t lasted_ns,
                   bool had_company, CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns) {
  uint64_t own_ns = WithoutDelay(lasted_ns, lap.held_up_ns, lap.charged_ns);
  if (had_company && own_ns > lap.charged_ns)
    own_ns = Within(OwnNs(lap, lasted_ns, page), lap.charged_ns, own_ns);
  const uint64_t each_ns = own_ns / lap.submissions;
  queue.Correct(page, lap.charged_ns, own_ns < fresh.ns ? own_ns : fresh.ns);
  if (lap.is_distrusted) {
    if (lap.cost->samples() == 0) lap.cost->LearnDoubtful(lap.charged_ns / lap.submissions);
    return LearnDistrusted(lap, each_ns, lasted_ns, now_ns);
  }
  const bool is_guess = own_ns < lasted_ns && own_ns <= lap.charged_ns && !lap.is_sized;
  if (lap.family != nullptr && (!is_guess || lap.family->NsOf(lap.threads) == 0))
    lap.family->Teach(lap.threads, each_ns);
  if (is_guess) return lap.cost->LearnGuess(each_ns);
  const bool is_sure =
      lap.is_exact && !had_company && lap.others_ns == 0 && lap.all_ns == lap.charged_ns;
  return is_sure ? lap.cost->Learn(each_ns) : lap.cost->LearnDoubtful(each_ns);
}

void Laps::LearnDistrusted(const Lap& lap, uint64_t each_ns, uint64_t lasted_ns, uint64_t now_ns) {
  if (!lap.held_others_back) lap.cost->LearnDistrusted(each_ns, now_ns - lasted_ns, now_ns);
}

// Of the time between a lap's events, what was the card's at least.
uint64_t Laps::LeastNs(const Lap& lap, uint64_t most_ns) const {
  if (MayHaveWaited(lap)) return 0;
  if (lap.is_exact) return most_ns;
  const uint64_t held_up_ns = lap.held_up_ns + WaitedNs(lap);
  return held_up_ns < most_ns ? most_ns - held_up_ns : 0;
}

// Of a turn that is over, the last of its work may have waited for another tenant's first. Where
// the rest of the turn tells what such work costs, that says nothing.
bool Laps::MayHaveWaited(const Lap& lap) const {
  const abi::TurnV1* turn = turn_.load(std::memory_order_relaxed);
  const bool is_told = lap.cost != nullptr && lap.cost->IsTold();
  return is_told && turn != nullptr && turn->word.load(std::memory_order_relaxed) != lap.turn_word;
}

// For what the tenant before had left to the card, as far as anybody told the arbiter.
uint64_t Laps::WaitedNs(const Lap& lap) const {
  const abi::TurnV1* turn = turn_.load(std::memory_order_relaxed);
  if (lap.first_at_ns == 0 || turn == nullptr) return 0;
  const uint64_t free_ns = turn->card_free_ns.load(std::memory_order_relaxed);
  return free_ns > lap.first_at_ns ? free_ns - lap.first_at_ns : 0;
}

// Its part of the time, beside what others had. That is reckoned, and they may be done sooner: a
// lap that did not even last so long shows it, another hides it. So it is for what is hardly known
// yet.
uint64_t Laps::MostNs(const Lap& lap, uint64_t each_ns) {
  if (lap.cost->samples() >= kKnownSamples || each_ns < lap.least_others_ns) return each_ns;
  return Part(each_ns, lap.charged_ns, lap.charged_ns + lap.least_others_ns);
}

// What the tenant before left may make the first of a turn last long: it is not believed where a
// turn has more of the kind.
void Laps::Teach(const Lap& lap, uint64_t each_ns) const {
  const uint64_t least_ns = LeastNs(lap, each_ns);
  if (lap.first_at_ns != 0 && lap.cost->IsOneOfMany())
    return lap.cost->LearnRough(least_ns, each_ns);
  if (lap.is_sole && lap.all_ns == lap.charged_ns && lap.others_ns == 0)
    lap.cost->NoteLongest(least_ns);
  if (!lap.is_sole && lap.cost->is_steady() && !IsSeenLate(lap, least_ns, each_ns))
    lap.cost->LearnRough(least_ns, each_ns);
  else
    LearnBetween(lap, least_ns, each_ns);
  if (lap.family != nullptr) lap.family->TeachBetween(lap.threads, least_ns, each_ns);
}

// What other threads gave to their streams while the lap's only submission was made. Whether that
// was done before it or after it nobody can tell.
uint64_t Laps::BesideNs(const Lap& lap) { return lap.is_alone ? lap.all_ns - lap.charged_ns : 0; }

void Laps::TeachBeside(const Lap& lap, uint64_t lasted_ns) {
  const uint64_t others_ns = lap.others_ns + BesideNs(lap) + lap.left_ns;
  const uint64_t least_ns = lasted_ns > others_ns ? lasted_ns - others_ns : 0;
  const uint64_t most_ns = MostNs(lap, lasted_ns);
  if (IsSeenLate(lap, least_ns, most_ns)) return lap.cost->LearnSeenLate(least_ns, most_ns);
  lap.cost->LearnRough(least_ns, most_ns);
  if (lap.family != nullptr) lap.family->TeachBetween(lap.threads, least_ns, most_ns);
}

// No end is seen before it was there, and none was there before what it is the end of was
// submitted.
void Laps::SetClock(const Lap& lap, uint64_t lasted_ns, int64_t end) {
  const auto end_ns = static_cast<uint64_t>(end);
  const uint64_t earliest_ns = lap.at_ns + (lap.is_alone ? lasted_ns : 0) - end_ns;
  const uint64_t latest_ns = guest::Now() - end_ns;
  if (end == 0) base_at_ns_ = lap.is_alone ? earliest_ns : latest_ns;
  base_at_ns_ = earliest_ns < latest_ns ? Within(base_at_ns_, earliest_ns, latest_ns) : latest_ns;
  covered_until_ns_ = base_at_ns_ + end_ns;
}

Covered::Stretch Laps::Cover(const Lap& lap, uint64_t lasted_ns) {
  const auto lasted = static_cast<int64_t>(lasted_ns);
  int64_t end = 0;
  if (base_ == 0 || events_.ContextOf(base_) != events_.ContextOf(lap.end) ||
      !ElapsedNs(events_.EventOf(base_), events_.EventOf(lap.end), end)) {
    base_ = lap.end;
    covered_ = {};
    end = 0;
  }
  SetClock(lap, lasted_ns, end);
  const Covered::Stretch fresh = covered_.Add({.begin_ns = end - lasted,
                                               .end_ns = end,
                                               .ticket = lap.ticket,
                                               .charged_ns = lap.all_ns,
                                               .uncounted_ns = lap.uncounted_ns,
                                               .beside_ns = BesideNs(lap)});
  if (end > kFarNs) {
    base_ = lap.end;
    covered_.MoveZero(end);
    base_at_ns_ += static_cast<uint64_t>(end);
  }
  return fresh;
}

}  // namespace warpshare::interposer
