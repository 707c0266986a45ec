// A lap that is over: what its work is charged in the end, and what is learned from it.
#include "interposer/compute/laps.h"
#include "interposer/compute/timing.h"
#include "interposer/compute/turn_wait.h"
#include "interposer/compute/unwaited.h"
#include "interposer/compute/within.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

// A float of milliseconds keeps 60 ns up to this distance.
constexpr int64_t kFarNs = 500'000'000;

// Of what is known, in company, by a lap. There are hundreds of them in a second, and of those that
// others had a part of hardly any says less than it is, while many say more.
constexpr uint64_t kCompanyRaise = 512;

// The first of its kind: the driver may have loaded code between the events, or other processes may
// have had the processor. What is left is at least the guess, unless it did not even last so long.
uint64_t WithoutDelay(uint64_t lasted_ns, uint64_t held_up_ns, uint64_t guess_ns) {
  const uint64_t rest_ns = lasted_ns > held_up_ns ? lasted_ns - held_up_ns : 0;
  if (rest_ns > guess_ns) return rest_ns;
  return lasted_ns < guess_ns ? lasted_ns : guess_ns;
}

// `ns` of which there are `part` in `of`. Two times of some seconds multiply to more than 64 bits.
uint64_t Part(uint64_t ns, uint64_t part, uint64_t of) {
  if (part == of) return ns;
  return static_cast<uint64_t>(static_cast<double>(ns) * static_cast<double>(part) /
                               static_cast<double>(of));
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
  const uint64_t since_ns = SinceLastEndNs(lap, lasted_ns);
  if (had_company && since_ns != UINT64_MAX &&
      BookAfterOthers(lap, fresh, {.lasted_ns = lasted_ns, .since_ns = since_ns}, queue, page))
    return;
  if (lap.is_new) return BookNew(lap, fresh, lasted_ns, had_company, queue, page, now_ns);
  if (lap.has_gaps || lasted_ns == 0) return;
  if (!had_company)
    company_.Alone();
  else if (lap.is_alone)
    BookInCompany(lap, fresh, queue, page);
  else if (lap.tenant_ns != 0)
    company_.Add(lasted_ns, lap.tenant_ns);
  // Of a lap that begins by itself nobody can tell how much of others' earlier work fell into it.
  if (!had_company && (fresh.joins || lap.others_ns == 0))
    queue.Correct(page, fresh.charged_ns,
                  Within(fresh.charged_ns, LeastNs(lap, fresh.ns), fresh.ns));
  if (lap.cost == nullptr) return;
  const uint64_t each_ns = Part(lasted_ns, lap.charged_ns, lap.all_ns) / lap.submissions;
  if (lap.is_distrusted) return LearnDistrusted(lap, each_ns, lasted_ns, now_ns);
  const bool is_beside = lap.is_alone && (lap.others_ns != 0 || BesideNs(lap) != 0);
  if (!had_company && is_beside) return TeachBeside(lap, lasted_ns);
  if (had_company && !lap.is_alone) return lap.cost->LearnAtMost(0, each_ns);
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

// Charged to all processes of the tenant so far; 0: it has one.
uint64_t Laps::ChargedEverNs() const {
  const abi::UsagePageV1* usage = usage_.load(std::memory_order_relaxed);
  return usage == nullptr ? 0 : TenantUsedNs(*usage, card_.load(std::memory_order_relaxed));
}

// Whether other processes' work may be what made it last. When that ends is expected, not known, so
// that the queue may not have told: then it is enough that they may have had any.
bool Laps::HadCompany(const Lap& lap, uint64_t lasted_ns, const CardQueue& queue,
                      const abi::CardWorkV1& page, uint64_t now_ns) const {
  if (queue.HadCompany(lap.ticket - lap.all_ns)) return true;
  const abi::UsagePageV1* usage = usage_.load(std::memory_order_relaxed);
  if (usage == nullptr || lasted_ns <= lap.charged_ns + lap.charged_ns / kRoughPart) return false;
  if (lap.company_ahead_ns != 0 || OthersOf(ChargedEverNs(), page) != lap.company_ns) return true;
  return HaveOthersWorkedSince(*usage, card_.load(std::memory_order_relaxed), page,
                               now_ns - lasted_ns - kCompanyNs);
}

// Where all of the tenant's work is waited for, whoever books the end of some says when that was,
// and takes for it what passed since the one before, whoever's that was: so all together are
// charged the time that passed. UINT64_MAX: not known.
uint64_t Laps::SinceLastEndNs(const Lap& lap, uint64_t lasted_ns) const {
  abi::UsagePageV1* usage = usage_.load(std::memory_order_relaxed);
  const bool is_timed = lap.is_alone && lap.cost != nullptr && !lap.is_distrusted;
  if (!is_timed || lasted_ns == 0 || usage == nullptr || !HasCompany(*usage)) return UINT64_MAX;
  abi::CardUsageV1& all = usage->cards[card_.load(std::memory_order_relaxed)];
  const uint64_t now_ns = guest::Now();
  if (IsUnwaited(all.unwaited_ns, now_ns)) return UINT64_MAX;
  const uint64_t end_ns = lap.at_ns + lasted_ns < now_ns ? lap.at_ns + lasted_ns : now_ns;
  if (!WasAwaited(lap, end_ns, now_ns)) {
    NoteUnwaited(all.unwaited_ns, now_ns);
    return UINT64_MAX;
  }
  uint64_t before_ns = all.seen_end_ns.load(std::memory_order_relaxed);
  while (end_ns > before_ns && !all.seen_end_ns.compare_exchange_weak(before_ns, end_ns)) {
  }
  if (before_ns == 0) return UINT64_MAX;
  return end_ns > before_ns ? end_ns - before_ns : 0;
}

// By a thread, which was there when it ended, so that it is looked at no later than others' work.
// Where several threads submit, one may be about to say so.
bool Laps::WasAwaited(const Lap& lap, uint64_t end_ns, uint64_t now_ns) const {
  if (!lap.is_sole && now_ns <= end_ns + kUnseenNs) return true;
  return awaited_ns_.load(std::memory_order_relaxed) >= lap.at_ns;
}

// False: whose work it was behind is not known.
bool Laps::BookAfterOthers(const Lap& lap, const Covered::Stretch& fresh, const Times& times,
                           CardQueue& queue, abi::CardWorkV1& page) const {
  if (times.since_ns >= times.lasted_ns && lap.first_at_ns != 0) return false;
  const uint64_t own_ns = times.since_ns < fresh.ns ? times.since_ns : fresh.ns;
  const uint64_t known_ns = lap.is_new ? own_ns : lap.charged_ns;
  if (known_ns < kVaryingTimedNs && !lap.cost->varies()) return false;
  queue.Correct(page, fresh.charged_ns, own_ns);
  if (fresh.charged_ns != lap.charged_ns) return true;  // of more than this
  if (own_ns == 0) return true;  // whoever booked a later end first took its time, too
  lap.cost->NoteLongest(own_ns);
  lap.cost->LearnBetween(own_ns, own_ns);
  return true;
}

// What the others' work does not account for was its own: all that they had in flight when it
// began, and all that they were charged since. That may have been done later, so it is the least;
// but it may have been more than was expected. Where they had nothing, the card began with this.
uint64_t Laps::OwnNs(const Lap& lap, uint64_t lasted_ns, const abi::CardWorkV1& page) const {
  const uint64_t others_ns = OthersOf(ChargedEverNs(), page);
  if (others_ns < lap.company_ns) return 0;
  const uint64_t least_ns = LeastNs(lap, lasted_ns);
  const uint64_t ahead_ns = lap.company_ahead_ns;
  const uint64_t behind_ns = least_ns > ahead_ns ? least_ns - ahead_ns : 0;
  const uint64_t since_ns = OfLap(lap, lasted_ns, others_ns - lap.company_ns, behind_ns);
  const uint64_t rest_ns = behind_ns > since_ns ? behind_ns - since_ns : 0;
  const uint64_t slice_ns = ahead_ns == 0 ? Within(kSliceNs, 0, least_ns) : 0;
  return rest_ns > slice_ns ? rest_ns : slice_ns;
}

// Of what others were charged since it began: all, but if that is more than there was time for, the
// lap is looked at long after its end. Where nothing better is known it is its part of the time
// since.
uint64_t Laps::OfLap(const Lap& lap, uint64_t lasted_ns, uint64_t charged_ns, uint64_t most_ns) {
  const uint64_t passed_ns = guest::Now() - lap.at_ns;
  const bool is_known = lap.cost->samples() >= kNewSamples;
  if (is_known || charged_ns <= most_ns || passed_ns <= lasted_ns) return charged_ns;
  return Part(charged_ns, lasted_ns, passed_ns);
}

// Of work that is known, and alike, what lasted longer was others': what these have in flight is
// reckoned.
void Laps::BookInCompany(const Lap& lap, const Covered::Stretch& fresh, CardQueue& queue,
                         abi::CardWorkV1& page) {
  const uint64_t charged_ever_ns = ChargedEverNs();
  if (charged_ever_ns == 0 || lap.cost == nullptr) return;
  const uint64_t own_ns = OwnNs(lap, fresh.ns, page);
  const bool is_known = lap.cost->is_steady();
  if (is_known) company_.AddKnown(LeastNs(lap, fresh.ns));
  const uint64_t more_ns = own_ns > fresh.charged_ns && !is_known ? own_ns - fresh.charged_ns : 0;
  const uint64_t owed_ns = company_.Owed(LeastNs(lap, fresh.ns), more_ns, charged_ever_ns);
  queue.Correct(page, 0, owed_ns);
}

// It came to a card that nobody used, as far as is known: no other process, and no tenant before.
bool Laps::IsFirstOnCard(const Lap& lap) {
  return lap.company_ahead_ns == 0 && lap.first_at_ns == 0 && lap.left_ns == 0;
}

// What was the first on the card says as much as ever, but for what comes behind it; and others may
// have had more in flight than they knew of. So what is known well is raised by little at a time.
void Laps::TeachInCompany(const Lap& lap, uint64_t least_ns, uint64_t most_ns) {
  Cost& cost = *lap.cost;
  if (IsSeenLate(lap, 0, most_ns)) return cost.LearnSeenLate(0, most_ns);
  if (!IsFirstOnCard(lap) || cost.varies()) return cost.LearnAtMost(least_ns, most_ns);
  if (least_ns > most_ns || repeats_.IsShortest(cost, most_ns)) least_ns = most_ns;
  const bool is_known = cost.is_sure() && cost.samples() >= kKnownSamples;
  if (is_known && !repeats_.IsTooLow(cost, least_ns))
    return cost.LearnRough(least_ns, most_ns, kCompanyRaise);
  LearnBetween(lap, least_ns, most_ns);
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

Covered::Stretch Laps::Cover(const Lap& lap, uint64_t lasted_ns) {
  const auto lasted = static_cast<int64_t>(lasted_ns);
  int64_t end = 0;
  if (base_ == 0 || events_.ContextOf(base_) != events_.ContextOf(lap.end) ||
      !ElapsedNs(events_.EventOf(base_), events_.EventOf(lap.end), end)) {
    base_ = lap.end;
    covered_ = {};
    end = 0;
  }
  const Covered::Stretch fresh = covered_.Add({.begin_ns = end - lasted,
                                               .end_ns = end,
                                               .ticket = lap.ticket,
                                               .charged_ns = lap.all_ns,
                                               .uncounted_ns = lap.uncounted_ns,
                                               .beside_ns = BesideNs(lap)});
  if (end > kFarNs) {
    base_ = lap.end;
    covered_.MoveZero(end);
  }
  return fresh;
}

}  // namespace warpshare::interposer
