// When work of this process is over, and who hears of it.
#include "interposer/compute/card_meter.h"
#include "interposer/compute/telling.h"
#include "interposer/compute/tenant_time.h"
#include "interposer/compute/timing.h"
#include "interposer/compute/unwaited.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

void CardMeter::AwaitTurn(TurnWait& wait, Telling& telling, const abi::TurnV1& turn,
                          abi::CardWorkV1& page, uint64_t now_ns) {
  wait.Announce(now_ns);
  const uint64_t look_ns = LookAtOwn(wait.session(), wait.card(), now_ns);
  telling.Tell(MayBeLate() && laps_.open() != 0);
  const uint32_t word = turn.word.load(std::memory_order_seq_cst);
  if (IsGranted(word)) return;
  guest::WaitShared(&turn.word, word, look_ns);
  const uint32_t woken_to = turn.word.load(std::memory_order_relaxed);
  const bool was_unused = CardQueue::EndNs(page) <= now_ns;
  if (woken_to != word && !IsGranted(woken_to) && was_unused) wait.AnnounceAgain();
}

// While something is in flight the arbiter waits for it, so it has to hear when that ends. Returns
// when to look again.
uint64_t CardMeter::LookAtOwn(Session& session, uint32_t card, uint64_t now_ns) {
  abi::CardWorkV1& page = PageOf(session, card);
  const bool may_be_late = MayBeLate();
  if (laps_.open() == 0 && !may_be_late) return kTurnLookNs;
  const bool was_busy = may_be_late || CardQueue::EndNs(page) > now_ns;
  TryPoll(page, now_ns);
  const bool all_ended = laps_.open() == 0;
  if (all_ended) NothingIsLate(session, card);
  const bool is_busy = CardQueue::EndNs(page) > now_ns || (may_be_late && !all_ended);
  if (was_busy && !is_busy) CallArbiter(session);
  if (all_ended) return kTurnLookNs;
  const uint64_t end_ns = laps_.oldest_end_ns();
  return end_ns > now_ns + kTimerLateNs && !may_be_late ? end_ns - now_ns : kTimerLateNs;
}

// To the tenant's other processes, which have theirs in flight, too: what passes between two ends
// is what the card takes for the later one's, as far as threads wait for all of it
// (Laps::IsToldByEnds). What has ended before somebody came to wait for it has ended at any time.
void CardMeter::TellOfEnd(uint64_t awaited_since_ns, Session& session, uint32_t card,
                          uint64_t now_ns) {
  if (!HasCompany(session.usage())) return;
  const uint64_t ticket = queue_.Ticket();
  const bool is_told = told_ticket_.exchange(ticket, std::memory_order_relaxed) == ticket;
  if (now_ns < awaited_since_ns + kWaitedNs) {
    if (!is_told) NoteUnwaited(session.usage().cards[card].unwaited_ns, now_ns);
    return;
  }
  laps_.Awaited(now_ns);
  TryPoll(PageOf(session, card), now_ns);
  if (laps_.open() == 0) queue_.IsOver(ticket);
}

void CardMeter::Ended(CUstream stream, uint64_t awaited_since_ns, Session& session, uint32_t card) {
  StreamState& state = streams_.Of(stream);
  TellOfEnd(awaited_since_ns, session, card, guest::Now());
  SeenToEnd(state,
            {awaited_since_ns, guest::Now(), state.woken_by.load(std::memory_order_relaxed),
             /*is_own=*/true},
            session, card);
}

void CardMeter::Asked(CUstream stream, bool has_ended, Session& session, uint32_t card) {
  StreamState& state = streams_.Of(stream);
  if (!has_ended) return state.seen_busy_ns.store(guest::Now(), std::memory_order_relaxed);
  const uint64_t busy_ns = state.seen_busy_ns.exchange(0, std::memory_order_relaxed);
  TellOfEnd(busy_ns != 0 ? 0 : guest::Now(), session, card, guest::Now());
  if (busy_ns != 0)
    SeenToEnd(state, {0, busy_ns, state.woken_by.load(std::memory_order_relaxed), /*is_own=*/true},
              session, card);
}

void CardMeter::SeenToEnd(StreamState& state, const Seen& seen, Session& session, uint32_t card) {
  abi::CardWorkV1& page = PageOf(session, card);
  const uint64_t now_ns = guest::Now();
  const uint64_t end_ns = state.end_ns.load(std::memory_order_relaxed);
  if (state.IsPlain()) NoteLateEnd(seen, session, card);
  const bool may_be_late = MayBeLate();
  if (end_ns <= now_ns && !may_be_late) return;
  const bool was_last = CardQueue::EndNs(page) <= end_ns;
  if (end_ns > now_ns) state.end_ns.store(now_ns, std::memory_order_relaxed);
  if (may_be_late) TryPoll(page, now_ns);
  if (was_last || (may_be_late && laps_.open() == 0)) AllEnded(session, card, now_ns);
}

// All in flight was to end before that. Where other threads or processes submit, too, and may have
// kept the card busy, or it is timed, nothing is to be noted.
void CardMeter::NoteLateEnd(const Seen& seen, Session& session, uint32_t card) {
  if (WasSharedSince(session.limits().cards[card].turn, seen.since_ns)) return;
  abi::CardWorkV1& page = PageOf(session, card);
  const uint64_t end_ns = CardQueue::EndNs(page);
  const uint64_t from_ns = end_ns > seen.since_ns ? end_ns : seen.since_ns;
  if (seen.until_ns < from_ns + kNotedLateNs || was_timed_.load(std::memory_order_relaxed)) return;
  const uint64_t now_ns = guest::Now();
  const bool had_company = HaveOthersWorkedSince(session.usage(), card, page, from_ns - kCompanyNs);
  if (had_company || !IsSoleThread(now_ns)) return;
  TryPoll(page, now_ns);
  if (laps_.open() != 0) return;
  const uint64_t late_ns = seen.until_ns - from_ns;
  if (seen.cost != nullptr) seen.cost->NoteLongest(late_ns);
  if (seen.is_own && late_ns >= kLateByClockNs) queue_.Charge(page, late_ns);
}

// What is not over is another context's.
void CardMeter::ContextEnded(uint64_t awaited_since_ns, Session& session, uint32_t card) {
  abi::CardWorkV1& page = PageOf(session, card);
  const uint64_t now_ns = guest::Now();
  TellOfEnd(awaited_since_ns, session, card, now_ns);
  if (now_ns - awaited_since_ns >= kNotedLateNs && AreAllPlain()) [[unlikely]]
    NoteLateEnd({awaited_since_ns, now_ns, SoleWork(), /*is_own=*/true}, session, card);
  const bool is_early = CardQueue::EndNs(page) > now_ns || MayBeLate();
  if (is_early) TryPoll(page, now_ns);
  if (laps_.open() != 0) return;
  ended_ticket_.store(queue_.Ticket(), std::memory_order_relaxed);
  if (is_early) AllEnded(session, card, now_ns);
}

// Of all streams that may just have had work; null: of several kinds, or none.
Cost* CardMeter::SoleWork() const {
  Cost* sole = nullptr;
  bool is_sole = true;
  streams_.ForEach([&](const StreamState& state) {
    Cost* cost = state.woken_by.load(std::memory_order_relaxed);
    if (cost == nullptr || cost == sole) return;
    is_sole &= sole == nullptr;
    sole = cost;
  });
  return is_sole ? sole : nullptr;
}

// Of an event it is not known whose work it stands for.
void CardMeter::SomethingEnded(uint64_t awaited_since_ns, Session& session, uint32_t card) {
  abi::CardWorkV1& page = PageOf(session, card);
  const uint64_t now_ns = guest::Now();
  TellOfEnd(awaited_since_ns, session, card, now_ns);
  if (now_ns - awaited_since_ns >= kNotedLateNs && AreAllPlain())
    NoteLateEnd({awaited_since_ns, now_ns, SoleWork(), /*is_own=*/false}, session, card);
  if (!MayBeLate()) return;
  TryPoll(page, now_ns);
  if (laps_.open() == 0) AllEnded(session, card, now_ns);
}

void CardMeter::AllEnded(Session& session, uint32_t card, uint64_t now_ns) {
  queue_.EndsAt(PageOf(session, card), now_ns);
  NothingIsLate(session, card);
  const abi::TurnV1& turn = session.limits().cards[card].turn;
  if (!IsGranted(turn.word.load(std::memory_order_relaxed)) && IsValid(turn, now_ns))
    CallArbiter(session);
}

void CardMeter::NothingIsLate(Session& session, uint32_t card) {
  if (!MayBeLate()) return;
  late_ns_.store(0, std::memory_order_relaxed);
  SayAwaited(session, card);
}

// Said again if another thread began or ended meanwhile: whichever of them writes last, it is true.
void CardMeter::SayAwaited(Session& session, uint32_t card) {
  const uint64_t late_us = late_ns_.load(std::memory_order_relaxed) / 1'000;
  const auto most_us = static_cast<uint64_t>(UINT32_MAX - 1);
  const uint32_t word = static_cast<uint32_t>(late_us < most_us ? late_us : most_us) + 1;
  uint32_t tellers;
  do {
    tellers = tellers_.load(std::memory_order_seq_cst);
    AwaitedOf(session, card).store(tellers != 0 ? word : 0, std::memory_order_seq_cst);
  } while (tellers_.load(std::memory_order_seq_cst) != tellers);
}

void CardMeter::BeginTelling(Session& session, uint32_t card) {
  tellers_.fetch_add(1, std::memory_order_seq_cst);
  SayAwaited(session, card);
}

void CardMeter::EndTelling(Session& session, uint32_t card) {
  tellers_.fetch_sub(1, std::memory_order_seq_cst);
  SayAwaited(session, card);
  const abi::TurnV1& turn = session.limits().cards[card].turn;
  const uint64_t now_ns = guest::Now();
  const bool was_late = CardQueue::EndNs(PageOf(session, card)) + kTimerLateNs < now_ns;
  if (was_late && !IsGranted(turn.word.load(std::memory_order_relaxed)) && IsValid(turn, now_ns))
    CallArbiter(session);
}

bool CardMeter::AreAllPlain() const {
  if (!was_interrupted_.load(std::memory_order_relaxed)) return true;
  bool are_all = true;
  streams_.ForEach([&](const StreamState& state) { are_all &= state.IsPlain(); });
  return are_all;
}

}  // namespace warpshare::interposer
