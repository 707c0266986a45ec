#include "interposer/compute/card_meter.h"

#include <algorithm>

#include "interposer/compute/metering.h"
#include "interposer/compute/telling.h"
#include "interposer/compute/tenant_time.h"
#include "interposer/compute/timing.h"
#include "interposer/compute/unwaited.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

uint64_t LeastAheadNs(uint64_t most_ns, uint64_t ns) {
  if (most_ns >= kLeastAheadNs) return kLeastAheadNs;
  return ns < kBearsAGapNs ? kLowestAheadNs : 0;
}

// One submission may always be in flight, whatever it costs.
bool Fits(uint64_t ahead_ns, uint64_t most_ns, uint64_t ns) {
  return ahead_ns + ns <= most_ns || ahead_ns <= LeastAheadNs(most_ns, ns);
}

// Until so much is in flight: as little as to be worth the wait, as much as the card needs to have
// something to do until this thread is awake.
void SleepUntilAhead(uint64_t ahead_ns, uint64_t most_ns, uint64_t ns) {
  uint64_t target_ns = ns < most_ns / 2 ? most_ns / 2 : (ns < most_ns ? most_ns - ns : 0);
  if (target_ns < LeastAheadNs(most_ns, ns)) target_ns = LeastAheadNs(most_ns, ns);
  if (ahead_ns <= target_ns) return;
  // What was never timed may be over long before.
  const uint64_t rest_ns = std::min(ahead_ns - target_ns, abi::kMostAheadNs);
  if (target_ns >= 2 * kTimerLateNs) return guest::Sleep(rest_ns);
  if (rest_ns > 2 * kTimerLateNs) return guest::Sleep(rest_ns - kTimerLateNs);
  guest::Yield();
}

// Where that is long ago, or nobody else had the card, nothing is left of what the tenant before
// had.
bool MayBeBusyStill(const abi::TurnV1& turn, uint64_t now_ns) {
  const uint64_t free_ns = turn.card_free_ns.load(std::memory_order_relaxed);
  if (free_ns == 0) return true;
  return free_ns != abi::kCardWasItsOwn && now_ns < free_ns + kAnyLeftNs;
}

// Half of it to one and a half, so that it keeps to no rhythm that a program may have.
uint64_t Uneven(uint64_t pause_ns, uint64_t now_ns) { return pause_ns / 2 + now_ns % pause_ns; }

}  // namespace

[[gnu::always_inline]] inline void CardMeter::Enter(const Submission& submission, Session& session,
                                                    uint32_t card, uint64_t now_ns) {
  abi::CardWorkV1& page = PageOf(session, card);
  if (submission.is_held) [[unlikely]]
    return queue_.Charge(page, submission.charged_ns);
  if (HasCompany(session.usage())) [[unlikely]]
    BeginStretch(session.usage().cards[card], page, now_ns);
  queue_.Enter(page, now_ns, submission.charged_ns, submission.state);
}

// Of lengths that vary it may be some times as much, and nobody misses a gap where there is a cap
// and no other tenant.
[[gnu::always_inline]] inline uint64_t CardMeter::MostAheadNs(const Submission& submission,
                                                              const abi::TurnV1& turn) const {
  const uint64_t us = turn.most_ahead_us.load(std::memory_order_relaxed);
  if (us != 0) return us * 1'000;
  if (!submission.cost->varies()) [[likely]]
    return abi::kMostAheadNs;
  const bool is_alone = turn.card_free_ns.load(std::memory_order_relaxed) == abi::kCardWasItsOwn;
  return is_alone && !HasHadCompany() ? kVaryingAheadNs : abi::kMostAheadNs;
}

// What was never timed well may last for any time, so it is alone in flight.
[[gnu::always_inline]] inline bool CardMeter::HasRoom(const Submission& submission,
                                                      const abi::TurnV1& turn,
                                                      const abi::CardWorkV1& page,
                                                      uint64_t now_ns) const {
  if (submission.is_held) [[unlikely]]
    return true;
  return laps_.open_unknown() == 0 &&
         Fits(queue_.AheadNs(page, now_ns), MostAheadNs(submission, turn), submission.charged_ns);
}

[[gnu::always_inline]] inline bool CardMeter::EnterAtOnce(Submission& submission, Session& session,
                                                          uint32_t card, abi::CardWorkV1& page,
                                                          uint64_t now_ns) {
  const abi::TurnV1& turn = session.limits().cards[card].turn;
  const uint32_t word = turn.word.load(std::memory_order_relaxed);
  submission.turn_word = word;
  submission.is_held = submission.state->is_held.load(std::memory_order_relaxed);
  if (!IsGranted(word) || !IsValid(turn, now_ns) || IsOver(turn, now_ns) ||
      !HasRoom(submission, turn, page, now_ns))
    return false;
  Enter(submission, session, card, now_ns);
  if (IsGranted(turn.word.load(std::memory_order_seq_cst))) [[likely]] {
    submission.is_first = false;
    if (last_word_.load(std::memory_order_relaxed) != word) [[unlikely]] {
      last_word_.store(word, std::memory_order_relaxed);
      submission.is_first = MayBeBusyStill(turn, now_ns);
      first_ticket_.store(submission.is_first ? queue_.Ticket() : 0, std::memory_order_relaxed);
      BeginTurn(submission, turn, page, now_ns);
    }
    return true;
  }
  Leave(submission, page);
  return false;
}

// Of several processes: what the card does for them is looked at from here on.
void CardMeter::BeginStretch(abi::CardUsageV1& all, const abi::CardWorkV1& page, uint64_t now_ns) {
  if (queue_.AheadNs(page, now_ns) != 0) return;
  TenantCover::Begin(all.covered, now_ns, all.over_ns.load(std::memory_order_relaxed));
}

void CardMeter::BeginTurn(const Submission& submission, const abi::TurnV1& turn,
                          abi::CardWorkV1& page, uint64_t now_ns) {
  const uint64_t free_ns = turn.card_free_ns.load(std::memory_order_relaxed);
  if (submission.is_held || free_ns <= now_ns) return;
  queue_.BeginsAt(page, free_ns, submission.charged_ns);
  laps_.TurnBegins(queue_.Ticket() - submission.charged_ns, free_ns);
}

// Whether nothing was submitted since all was seen to be over.
[[gnu::always_inline]] inline bool CardMeter::WasAtRest(const Submission& submission) const {
  return !submission.is_held &&
         queue_.Ticket() - submission.charged_ns == ended_ticket_.load(std::memory_order_relaxed);
}

// By its own work; or the lap goes on though the stream may have run dry, as others kept the card
// busy all along: what the lap takes is compared with the work of all. Beside other processes,
// whose work is not known as well, the driver is asked whether it has.
[[gnu::always_inline]] inline bool CardMeter::IsTight(const Submission& submission,
                                                      const abi::CardWorkV1& page) const {
  const StreamState& state = *submission.state;
  const uint64_t until_ns = submission.at_ns + kTightNs;
  if (state.end_ns.load(std::memory_order_relaxed) > until_ns) return true;
  const bool goes_on = state.lap_event.load(std::memory_order_relaxed) != 0 &&
                       queue_.WasBusySince(state.lap_ticket.load(std::memory_order_relaxed), page,
                                           until_ns, submission.charged_ns);
  return goes_on && (!HasHadCompany() || !Laps::IsIdle(submission.stream));
}

bool CardMeter::MayBeBehind(const Submission& submission) const {
  const uint64_t first = first_ticket_.load(std::memory_order_relaxed);
  return submission.is_first ||
         (laps_.passed_ticket() < first && ended_ticket_.load(std::memory_order_relaxed) < first);
}

// Of late. Where all wait for their work, what each of them is charged is right if all of it is
// timed: only so is what passes between two ends counted once.
bool CardMeter::HasHadCompany() const {
  const uint64_t ticket = queue_.Ticket();
  return queue_.HadCompany(ticket > kCompanyNs ? ticket - kCompanyNs : 0);
}

// What a stream of equal work costs, its laps tell; and that of what was changed, where it is busy.
[[gnu::always_inline]] inline bool CardMeter::IsDueAlone(const Submission& submission,
                                                         const abi::TurnV1& turn,
                                                         const abi::CardWorkV1& page) {
  const uint32_t samples = submission.cost->samples();
  const bool is_told = submission.is_tight && submission.is_well_priced;  // by laps, and some
  // Of a card that is shared, more than one would tell nothing more.
  if (samples < kNewSamples && !is_told && (samples == 0 || !IsShared(turn))) return true;
  if (!submission.is_tight && submission.cost->TakeChange()) [[unlikely]]
    return true;
  if (submission.cost->varies() &&
      (!submission.is_tight || submission.charged_ns >= kVaryingTimedNs))
    return true;
  if (!submission.is_tight && submission.charged_ns >= kVaryingTimedNs && HasHadCompany())
    return true;
  const bool is_long = submission.charged_ns >= kAlwaysTimedNs;
  const uint64_t due_ns =
      next_alone_ns_.load(std::memory_order_relaxed) + (submission.is_first ? kFirstPauseNs : 0);
  const bool was_last = last_alone_.load(std::memory_order_relaxed) == submission.cost;
  if (!was_last && !others_came_.load(std::memory_order_relaxed)) [[unlikely]]
    others_came_.store(true, std::memory_order_relaxed);
  if (!is_long && submission.at_ns < due_ns) return false;
  const StreamState& state = *submission.state;
  const bool has_lap = state.lap_event.load(std::memory_order_relaxed) != 0;
  if (submission.is_tight && !has_lap && MayBeginLap(submission, page)) return false;
  if (submission.is_tight && state.lap_cost.load(std::memory_order_relaxed) ==
                                 reinterpret_cast<uint64_t>(submission.cost)) {
    return false;
  }
  const bool is_known = submission.cost->samples() >= kKnownSamples;
  // What was timed last leaves the next time to what else there is.
  const bool is_awaited = was_last && others_came_.load(std::memory_order_relaxed);
  if (is_known && !is_long && is_awaited && submission.at_ns < due_ns + kKnownPauseNs) return false;
  last_alone_.store(submission.cost, std::memory_order_relaxed);
  others_came_.store(false, std::memory_order_relaxed);
  const uint64_t pause_ns = is_known ? kKnownPauseNs : kAlonePauseNs;
  next_alone_ns_.store(submission.at_ns + Uneven(pause_ns, submission.at_ns),
                       std::memory_order_relaxed);
  return true;
}

[[gnu::always_inline]] inline uint64_t CardMeter::PriceOf(Submission& submission,
                                                          const Work& work) {
  if (submission.cost->samples() == 0) [[unlikely]]
    return FirstPriceOf(submission, work);
  return submission.cost->ns();
}

uint64_t CardMeter::FirstPriceOf(Submission& submission, const Work& work) {
  const Family* family = Metering::OfProcess().families().Find(work);
  const uint64_t ns = family == nullptr ? 0 : family->NsOf(work.threads);
  submission.is_priced = ns != 0;
  submission.is_well_priced = family != nullptr && family->IsKnown();
  return ns != 0 ? ns : work.guess_ns;
}

[[gnu::always_inline]] inline void CardMeter::NoteLate(const Submission& submission) {
  if (!submission.cost->varies()) [[likely]]
    return;
  const uint64_t longer_ns = submission.cost->LongerByNs();
  if (longer_ns > late_ns_.load(std::memory_order_relaxed))
    late_ns_.store(longer_ns, std::memory_order_relaxed);
}

void CardMeter::Begin(Submission& submission, Session& session, uint32_t card, const Work& work) {
  abi::CardWorkV1& page = PageOf(session, card);
  StreamState& state = streams_.Of(submission.stream);
  submission.state = &state;
  queue_.Join(session.usage().cards[card]);
  laps_.Follow(session.limits().cards[card].turn, session.usage(), card);
  submission.charged_ns = PriceOf(submission, work);
  uint64_t now_ns = clock_.Now();
  if (!EnterAtOnce(submission, session, card, page, now_ns)) [[unlikely]]
    now_ns = EnterLate(submission, session, card, work);
  submission.at_ns = now_ns;
  NoteLate(submission);
  const uint64_t look_ns = state.look_ns.load(std::memory_order_relaxed);
  if (look_ns != 0 && look_ns < now_ns) [[unlikely]]
    LookBehind(state, page, now_ns);
  // Whatever was expected of its last work.
  if (WasAtRest(submission)) [[unlikely]]
    state.end_ns.store(now_ns, std::memory_order_relaxed);
  submission.is_tight = IsTight(submission, page);
  if (HasCompany(session.usage())) [[unlikely]]
    TellCompany(submission, session, card);
  submission.is_alone =
      IsDueAlone(submission, session.limits().cards[card].turn, page) && laps_.lock().TryAcquire();
  if (submission.is_alone) [[unlikely]] {
    BeginAlone(submission, session, card, now_ns);
    laps_.lock().Release();
  } else if (!submission.is_tight) {
    state.lap_event.store(0, std::memory_order_relaxed);
    state.woken_by.store(submission.cost, std::memory_order_relaxed);
  } else if (state.lap_event.load(std::memory_order_relaxed) == 0) [[unlikely]] {
    BeginLap(submission, session, card);
  }
}

// What other processes are to know of it.
void CardMeter::TellCompany(const Submission& submission, Session& session, uint32_t card) {
  const bool had_work = queue_.HadWorkBefore(submission.charged_ns);
  if (!submission.is_tight && !had_work) queue_.IsOver(queue_.Ticket() - submission.charged_ns);
  const uint64_t end_ns = submission.state->end_ns.load(std::memory_order_relaxed);
  if (had_work && end_ns > submission.at_ns)
    NoteUnwaited(session.usage().cards[card].unwaited_ns, submission.at_ns);
}

// Not beside other streams: nobody could tell how much of their earlier work falls into the lap.
bool CardMeter::MayBeginLap(const Submission& submission, const abi::CardWorkV1& page) const {
  return queue_.OthersNs(page, submission.at_ns, submission.charged_ns) == 0;
}

// So that work is compared with what the card took for it from the beginning of a turn on. No more
// often than laps end: a program that waits often would pay for an event each time.
void CardMeter::BeginLap(const Submission& submission, Session& session, uint32_t card) {
  if (submission.at_ns < next_lap_ns_.load(std::memory_order_relaxed)) return;
  next_lap_ns_.store(submission.at_ns + kLapNs, std::memory_order_relaxed);
  if (!MayBeginLap(submission, PageOf(session, card)) || !laps_.lock().TryAcquire()) return;
  Laps::Point point = PointOf(submission, session, card);
  point.ticket -= submission.charged_ns;  // which is not there yet
  laps_.Begin(point);
  laps_.lock().Release();
}

void CardMeter::BeginAlone(Submission& submission, Session& session, uint32_t card,
                           uint64_t now_ns) {
  submission.others_ns = queue_.OthersNs(PageOf(session, card), now_ns, submission.charged_ns);
  const bool is_shared = submission.others_ns != 0 && Laps::IsIdle(submission.stream);
  submission.at_ns = guest::Now();
  submission.is_behind = MayBeBehind(submission);
  submission.company_ahead_ns = OthersAheadNs(session.usage(), card, PageOf(session, card),
                                              submission.at_ns, submission.charged_ns);
  Laps::Point point = PointOf(submission, session, card);
  point.ticket -= submission.charged_ns;  // which is not there yet
  laps_.Begin(point);
  // An idle stream begins at once, so that what others have left by then falls into the lap.
  const uint64_t since_ns = guest::Now() - now_ns;
  if (is_shared && submission.others_ns > since_ns)
    submission.least_others_ns = submission.others_ns - since_ns;
}

void CardMeter::End(const Submission& submission, Session& session, uint32_t card, const Work& work,
                    bool was_submitted) {
  abi::CardWorkV1& page = PageOf(session, card);
  StreamState& state = *submission.state;
  if (!was_submitted) [[unlikely]] {
    state.lap_event.store(0, std::memory_order_relaxed);
    return Leave(submission, page);
  }
  was_timed_.store(submission.is_alone, std::memory_order_relaxed);
  if (last_thread_.load(std::memory_order_relaxed) != __builtin_thread_pointer()) [[unlikely]] {
    last_thread_.store(__builtin_thread_pointer(), std::memory_order_relaxed);
    thread_since_ns_.store(submission.at_ns, std::memory_order_relaxed);
  }
  state.Add(submission.at_ns, submission.charged_ns, submission.cost);
  if (submission.is_held) [[unlikely]]
    state.AddHeld(submission.charged_ns);
  const bool is_lap = state.lap_event.load(std::memory_order_relaxed) != 0 &&
                      state.lap_ns.load(std::memory_order_relaxed) >= kLapNs;
  if ((!is_lap && !submission.is_alone) || !laps_.lock().TryAcquire()) return;
  const uint64_t now_ns = guest::Now();
  Laps::Point point = PointOf(submission, session, card);
  point.is_alone = submission.is_alone;
  if (submission.is_alone) {
    point.family = Metering::OfProcess().families().Of(work);
    point.threads = work.threads;
    point.is_sized = work.is_sized;
  }
  // A call that waits for the card's end is held up by nothing else, but for waking up.
  point.left_ns = LeftNs(submission, session.limits().cards[card].turn);
  point.held_up_ns = (submission.blocks ? kTimerLateNs : now_ns - submission.at_ns) + point.left_ns;
  point.was_prompt = !submission.blocks && point.held_up_ns <= submission.charged_ns / kRoughPart;
  point.ends_late = submission.blocks;
  point.is_tight &= !MayHaveRunDry(submission, now_ns);
  const bool is_timed = laps_.End(point);
  if (!is_timed && submission.cost->samples() == 0)
    submission.cost->LearnDoubtful(submission.charged_ns);
  state.look_ns.store(now_ns + kDryNs, std::memory_order_relaxed);
  if (laps_.oldest_end_ns() < submission.at_ns) laps_.Poll(queue_, page, submission.at_ns);
  laps_.lock().Release();
}

// By now, before the end of its lap was recorded: this thread was held up for longer than the work
// was to last.
bool CardMeter::MayHaveRunDry(const Submission& submission, uint64_t now_ns) {
  const uint64_t end_ns = submission.state->end_ns.load(std::memory_order_relaxed);
  return now_ns > submission.at_ns + kTightNs && now_ns >= end_ns;
}

// For so long the card may be at what the tenant before left it. That may be far longer than that
// tenant knew: of work that the rest of the turn tells the cost of, the first says nothing.
uint64_t CardMeter::LeftNs(const Submission& submission, const abi::TurnV1& turn) {
  if (!submission.is_first && !submission.is_behind) return 0;
  if (submission.cost->IsTold()) return kAnyLeftNs;
  const uint64_t free_ns = turn.card_free_ns.load(std::memory_order_relaxed);
  return submission.at_ns < free_ns + kMostLeftNs || free_ns == 0 ? kMostLeftNs : 0;
}

// A stream that has come to the end of its lap already has little left to do, whatever that was
// thought to cost.
void CardMeter::LookBehind(StreamState& state, abi::CardWorkV1& page, uint64_t now_ns) {
  if (!laps_.lock().TryAcquire()) return;
  if (laps_.LeftDry(state)) {
    state.end_ns.store(now_ns, std::memory_order_relaxed);
    laps_.Poll(queue_, page, now_ns);
  }
  laps_.lock().Release();
}

void CardMeter::Leave(const Submission& submission, abi::CardWorkV1& page) {
  if (submission.is_held) return queue_.Discharge(submission.charged_ns);
  queue_.Leave(page, submission.charged_ns);
}

uint64_t CardMeter::EnterLate(Submission& submission, Session& session, uint32_t card,
                              const Work& work) {
  const abi::ComputeTermsV1& terms = session.limits().cards[card].compute;
  const abi::TurnV1& turn = session.limits().cards[card].turn;
  abi::CardWorkV1& page = PageOf(session, card);
  TurnWait wait(session, card, waiters_);
  Telling telling(*this, session, card);
  for (;;) {
    const uint64_t now_ns = guest::Now();
    submission.charged_ns = PriceOf(submission, work);  // it may have been learned meanwhile
    if (EnterAtOnce(submission, session, card, page, now_ns)) return now_ns;
    if (terms.mode.load(std::memory_order_relaxed) == abi::ComputeMode::kNone) {
      Enter(submission, session, card, now_ns);
      return now_ns;
    }
    const uint32_t word = turn.word.load(std::memory_order_relaxed);
    const bool is_granted = IsGranted(word);
    const bool is_valid = IsValid(turn, now_ns) && !(is_granted && IsOver(turn, now_ns));
    if (is_valid && !is_granted) {
      EndLap(submission, session, card, now_ns);
      AwaitTurn(wait, telling, turn, page, now_ns);
      continue;
    }
    const uint64_t wait_ns = is_valid ? 0 : static_share_.WaitNs(session, card, now_ns);
    if (wait_ns != 0) {
      wait.Announce(now_ns);
      guest::WaitShared(&turn.word, word, wait_ns < kTurnLookNs ? wait_ns : kTurnLookNs);
      continue;
    }
    const bool has_room = HasRoom(submission, turn, page, now_ns);
    if ((has_room && !is_valid) || (!has_room && IsStuck(submission, now_ns))) {
      Enter(submission, session, card, now_ns);
      return now_ns;
    }
    if (has_room) continue;
    telling.Tell(MayBeLate() && laps_.open() != 0);
    AwaitProgress(submission, turn, page, now_ns);
  }
}

// Nothing more comes for a while. Of work that varies what the stream has in flight is compared
// with what the card takes for it, too: no price tells how much that is.
void CardMeter::EndLap(Submission& submission, Session& session, uint32_t card, uint64_t now_ns) {
  StreamState& state = *submission.state;
  if (!submission.cost->varies() || !HasHadCompany()) return;
  if (state.lap_event.load(std::memory_order_relaxed) == 0 || !laps_.lock().TryAcquire()) return;
  submission.at_ns = now_ns;
  submission.is_tight = true;
  Laps::Point point = PointOf(submission, session, card);
  point.first_at_ns = 0;
  (void)laps_.End(point);
  state.lap_event.store(0, std::memory_order_relaxed);
  laps_.lock().Release();
}

bool CardMeter::IsStuck(const Submission& submission, uint64_t now_ns) {
  const bool is_overdue = laps_.first() != 0 && laps_.first_end_ns() < now_ns;
  const bool is_more_of_it =
      !submission.cost->is_sure() && laps_.IsMoreOfFirst(*submission.state, *submission.cost);
  if (!stuck_.LetsThrough(laps_.first(), is_overdue, is_more_of_it, now_ns)) return false;
  if (laps_.lock().TryAcquire()) {
    laps_.Distrust(*submission.cost);
    laps_.lock().Release();
  }
  return true;
}

void CardMeter::AwaitProgress(const Submission& submission, const abi::TurnV1& turn,
                              abi::CardWorkV1& page, uint64_t now_ns) {
  TryPoll(page, now_ns);
  if (laps_.open_unknown() != 0) {
    return now_ns < laps_.oldest_end_ns() + kKeenNs ? guest::Yield() : guest::Sleep(kTimerLateNs);
  }
  const uint64_t ahead_ns = queue_.AheadNs(page, now_ns);
  if (Fits(ahead_ns, MostAheadNs(submission, turn), submission.charged_ns)) return;
  if (submission.cost->varies()) return guest::Sleep(kTimerLateNs);
  SleepUntilAhead(ahead_ns, MostAheadNs(submission, turn), submission.charged_ns);
}

void CardMeter::TryPoll(abi::CardWorkV1& page, uint64_t now_ns) {
  if (laps_.open() == 0 || !laps_.lock().TryAcquire()) return;
  laps_.Poll(queue_, page, now_ns);
  laps_.lock().Release();
}

Laps::Point CardMeter::PointOf(const Submission& submission, Session& session, uint32_t card) {
  const abi::CardWorkV1& page = PageOf(session, card);
  const uint64_t tenant_ns = TenantUsedNs(session.usage(), card);
  return {.streams = streams_,
          .state = *submission.state,
          .stream = submission.stream,
          .is_tight = submission.is_tight,
          .is_alone = false,
          .was_prompt = false,
          .ends_late = false,
          .is_sole = IsSoleThread(submission.at_ns),
          .is_priced = submission.is_priced,
          .is_sized = false,
          .family = nullptr,
          .threads = 0,
          .held_up_ns = 0,
          .left_ns = 0,
          .at_ns = submission.at_ns,
          .turn_word = submission.turn_word,
          .first_at_ns = submission.is_first ? submission.at_ns : 0,
          .others_ns = submission.others_ns,
          .least_others_ns = submission.least_others_ns,
          .ticket = queue_.Ticket(),
          .company_ns = OthersOf(tenant_ns, page),
          .company_ahead_ns = submission.company_ahead_ns,
          .end_ns = CardQueue::EndNs(page)};
}

void CardMeter::Forget(CUcontext context) {
  const guest::LockGuard guard(laps_.lock());
  laps_.Forget(context);
}

}  // namespace warpshare::interposer
