#include "interposer/compute/laps.h"

#include "interposer/accounts/capture_tolerance.h"
#include "interposer/compute/timing.h"
#include "interposer/dispatch/default_stream.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

// A float of milliseconds keeps 60 ns up to this distance.
constexpr int64_t kFarNs = 500'000'000;

constexpr uint64_t kMostOthersNs = 1'000'000'000;

CUcontext ContextOf(CUstream stream) {
  CUcontext context = nullptr;
  if (!IsDefault(stream) && REAL(cuStreamGetCtx)(stream, &context) == CUDA_SUCCESS) return context;
  return REAL(cuCtxGetCurrent)(&context) == CUDA_SUCCESS ? context : nullptr;
}

bool ElapsedNs(CUevent begin, CUevent end, int64_t& ns) {
  float ms = 0;
  if (REAL(cuEventElapsedTime)(&ms, begin, end) != CUDA_SUCCESS) return false;
  ns = static_cast<int64_t>(static_cast<double>(ms) * 1e6);
  return true;
}

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

uint64_t Within(uint64_t ns, uint64_t least_ns, uint64_t most_ns) {
  return ns < least_ns ? least_ns : (ns > most_ns ? most_ns : ns);
}

// Tickets may miss what another thread adds, so it may seem to be less than the lap's own.
uint64_t AllNs(const Laps::Point& point) {
  const uint64_t own_ns = point.state.lap_ns.load(std::memory_order_relaxed);
  const uint64_t all_ns = point.ticket - point.state.lap_ticket.load(std::memory_order_relaxed) +
                          point.state.lap_held_ns.load(std::memory_order_relaxed);
  return all_ns > own_ns && all_ns < own_ns + kMostOthersNs ? all_ns : (own_ns == 0 ? 1 : own_ns);
}

uint64_t TenantNs(const Laps::Point& point) {
  const uint64_t begin_ns = point.state.lap_tenant_ns.load(std::memory_order_relaxed);
  return begin_ns != 0 && point.tenant_ns > begin_ns ? point.tenant_ns - begin_ns : 0;
}

void StartLap(const Laps::Point& point, EventId begin) {
  StreamState& state = point.state;
  state.lap_ticket.store(point.ticket, std::memory_order_relaxed);
  state.lap_ns.store(0, std::memory_order_relaxed);
  state.lap_held_ns.store(0, std::memory_order_relaxed);
  state.lap_tenant_ns.store(point.tenant_ns, std::memory_order_relaxed);
  state.lap_company_ns.store(point.company_ns, std::memory_order_relaxed);
  state.lap_cost.store(0, std::memory_order_relaxed);
  state.lap_count.store(0, std::memory_order_relaxed);
  state.lap_event.store(begin, std::memory_order_relaxed);
}

}  // namespace

bool Laps::IsIdle(CUstream stream) {
  const CaptureTolerance tolerance;
  return REAL(cuStreamQuery)(stream) == CUDA_SUCCESS;
}

void Laps::Begin(const Point& point) {
  const EventId event = Record(point);
  if (point.is_tight && event != 0) (void)Push(point, event);
  StartLap(point, event);
}

bool Laps::End(Point point) {
  const uint64_t from_ns = guest::Now();
  const EventId event = Record(point);
  const uint64_t took_ns = guest::Now() - from_ns;
  if (took_ns > kLongRecordNs) [[unlikely]] {
    point.held_up_ns += took_ns;
    point.was_prompt = false;
  }
  const bool is_timed = event != 0 && Push(point, event);
  StartLap(point, BeginZero(point, event, from_ns));
  return is_timed;
}

// The event at which the next lap begins: the second of two, if the zero is to be measured. Where
// the card is at the first already, it may have waited for this thread to record the second.
EventId Laps::BeginZero(const Point& point, EventId event, uint64_t now_ns) {
  if (!point.is_alone || event == 0 || zero_begin_ != 0 || !zero_.IsDue(now_ns)) return event;
  const EventId second = Record(point);
  if (second == 0 || events_.ContextOf(second) != events_.ContextOf(event)) return event;
  const CaptureTolerance tolerance;
  if (IsOver(event)) return second;
  zero_begin_ = event;
  zero_end_ = second;
  return second;
}

void Laps::PollZero(uint64_t now_ns) {
  if (zero_begin_ == 0 || !IsOver(zero_end_)) return;
  int64_t apart = 0;
  if (ElapsedNs(events_.EventOf(zero_begin_), events_.EventOf(zero_end_), apart) && apart >= 0)
    zero_.Add(static_cast<uint64_t>(apart), now_ns);
  ForgetZero();
}

EventId Laps::Record(const Point& point) {
  if (IsFull(point.state)) return 0;
  const CaptureTolerance tolerance;
  const CUstream stream = point.stream;
  const CUcontext context = ContextOf(stream);
  if (context == nullptr) return 0;
  EventId id = events_.Take(context);
  if (id == 0) {
    Collect(point.streams);
    id = events_.Take(context);
  }
  if (id == 0 || REAL(cuEventRecord)(events_.EventOf(id), stream) == CUDA_SUCCESS) return id;
  return 0;
}

// A stream that waits for something may be given as much as the driver queues, and what it waits
// for only then: there must be next to nothing of ours in that queue.
bool Laps::IsFull(const StreamState& state) const {
  uint32_t of_stream = 0;
  for (uint32_t i = 0; i < open(); ++i) of_stream += laps_[i].state == &state;
  return of_stream >= (state.IsPlain() ? kLapsOfStream : kLapsOfWaiting);
}

bool Laps::Push(const Point& point, EventId end) {
  const StreamState& state = point.state;
  const EventId begin = state.lap_event.load(std::memory_order_relaxed);
  const uint32_t count = open();
  const uint32_t submissions = state.lap_count.load(std::memory_order_relaxed);
  if (begin == 0 || submissions == 0 || count == kLaps ||
      events_.ContextOf(begin) != events_.ContextOf(end)) {
    return false;
  }
  const uint64_t kept = state.lap_cost.load(std::memory_order_relaxed);
  Cost* cost = kept == StreamState::kSeveral ? nullptr : reinterpret_cast<Cost*>(kept);
  laps_[count] = {.begin = begin,
                  .end = end,
                  .is_new = cost != nullptr && cost->samples() == 0 && !point.is_priced,
                  .is_unknown = cost != nullptr && cost->is_unknown() && !point.is_priced,
                  .is_alone = point.is_alone,
                  .was_prompt = point.was_prompt,
                  .is_exact = point.is_tight || point.was_prompt,
                  .has_gaps = false,
                  .is_distrusted = false,
                  .is_sole = point.is_sole,
                  .held_others_back = false,
                  .turn_word = point.turn_word,
                  .first_at_ns = point.first_at_ns,
                  .submissions = submissions,
                  .held_up_ns = point.held_up_ns,
                  .others_ns = point.others_ns,
                  .least_others_ns = point.least_others_ns,
                  .charged_ns = state.lap_ns.load(std::memory_order_relaxed),
                  .all_ns = AllNs(point),
                  .uncounted_ns = state.lap_held_ns.load(std::memory_order_relaxed),
                  .tenant_ns = TenantNs(point),
                  .company_ns = state.lap_company_ns.load(std::memory_order_relaxed),
                  .company_ahead_ns = point.company_ahead_ns,
                  .cost = cost,
                  .ticket = point.ticket,
                  .end_ns = point.end_ns,
                  .waits = state.waits.load(std::memory_order_relaxed),
                  .state = &point.state};
  count_.store(count + 1, std::memory_order_relaxed);
  Publish();
  return true;
}

bool Laps::LeftDry(StreamState& state) {
  state.look_ns.store(0, std::memory_order_relaxed);
  const EventId event = state.lap_event.load(std::memory_order_relaxed);
  const CaptureTolerance tolerance;
  if (event == 0 || REAL(cuEventQuery)(events_.EventOf(event)) != CUDA_SUCCESS) return false;
  for (uint32_t i = 0; i < open(); ++i) {
    Lap& lap = laps_[i];
    if (lap.end != event) continue;
    lap.has_gaps = !lap.is_alone;
    lap.is_exact = lap.was_prompt;
  }
  return true;
}

// Laps of one stream are over in their order; those of others are looked at whatever came before.
void Laps::Poll(CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns) {
  const CaptureTolerance tolerance;
  const StreamState* waiting = nullptr;
  uint64_t not_done_ns = 0;
  for (uint32_t i = 0; i < open();) {
    const Lap& lap = laps_[i];
    if (lap.state != waiting && IsOver(lap.end)) {
      const StreamState& state = *lap.state;
      Pass(lap, queue, page, now_ns, not_done_ns);
      Remove(i);
      BeginNext(state, i, now_ns);
      continue;
    }
    if (lap.state != waiting && lap.end_ns < now_ns) Await(lap, queue, page, now_ns);
    if (!lap.state->is_held.load(std::memory_order_relaxed)) not_done_ns += lap.charged_ns;
    waiting = lap.state;
    ++i;
  }
  PollZero(now_ns);
  Publish();
}

bool Laps::IsOver(EventId event) const {
  return REAL(cuEventQuery)(events_.EventOf(event)) != CUDA_ERROR_NOT_READY;
}

// `others_ns`: what other streams were given before and have not done.
void Laps::Pass(const Lap& lap, CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns,
                uint64_t others_ns) {
  StreamState& state = *lap.state;
  Book(lap, queue, page, now_ns);
  queue.DoneUntil(page, lap.ticket, BeginsNextAt(lap, now_ns) + others_ns);
  state.waits_over.store(lap.waits, std::memory_order_relaxed);
  if (!state.is_held.load(std::memory_order_relaxed)) return;
  state.is_held.store(false, std::memory_order_relaxed);
  queue.Release(page, now_ns, state.held_ns.exchange(0, std::memory_order_relaxed));
}

// The end of an earlier turn's work does not say that the card is at this one's.
uint64_t Laps::BeginsNextAt(const Lap& lap, uint64_t now_ns) const {
  const uint64_t begin_ns = turn_begin_ns_.load(std::memory_order_relaxed);
  const bool is_earlier = lap.ticket <= turn_ticket_.load(std::memory_order_relaxed);
  return is_earlier && begin_ns > now_ns ? begin_ns : now_ns;
}

// It is late: the card has more to do than was thought, or the stream waits for something else.
// What it waits for lies before the lap's begin.
void Laps::Await(const Lap& lap, CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns) {
  StreamState& state = *lap.state;
  const bool may_wait =
      lap.waits != state.waits_over.load(std::memory_order_relaxed) && !IsOver(lap.begin);
  if (!may_wait) {
    queue.NotDoneUntil(page, lap.ticket, now_ns);
  } else if (lap.end_ns + kHeldNs < now_ns && CardQueue::EndNs(page) + kHeldNs < now_ns) {
    state.is_held.store(true, std::memory_order_relaxed);
  }
}

// The next lap of the stream, which may have been submitted when nobody knew yet how long it lasts.
void Laps::BeginNext(const StreamState& state, uint32_t from, uint64_t now_ns) {
  for (uint32_t i = from; i < open(); ++i) {
    Lap& lap = laps_[i];
    if (lap.state != &state) continue;
    const uint64_t end_ns = lap.cost == nullptr ? 0 : now_ns + lap.cost->ns() * lap.submissions;
    if (end_ns > lap.end_ns) lap.end_ns = end_ns;
    return;
  }
}

void Laps::Book(const Lap& lap, CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns) {
  int64_t lasted = 0;
  if (!ElapsedNs(events_.EventOf(lap.begin), events_.EventOf(lap.end), lasted) || lasted < 0) {
    if (lap.is_new) lap.cost->LearnDoubtful(lap.charged_ns / lap.submissions);
    return;
  }
  Covered::Stretch fresh = Cover(lap, static_cast<uint64_t>(lasted));
  fresh.ns = zero_.Without(fresh.ns);
  const uint64_t lasted_ns = zero_.Without(static_cast<uint64_t>(lasted));
  const bool had_company = queue.HadCompany(lap.ticket - lap.all_ns);
  if (lap.cost != nullptr && !lap.is_distrusted) lap.cost->Trust();
  if (lap.is_new) return BookNew(lap, fresh, lasted_ns, queue, page, now_ns);
  if (lap.has_gaps || lasted_ns == 0) return;
  if (!had_company)
    company_.Alone();
  else if (lap.is_alone)
    BookInCompany(lap, lasted_ns, queue, page);
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
  Teach(lap, each_ns, had_company);
}

// What the others' work does not account for was its own: all that they had in flight when it
// began, and all that they were charged since. That may have been done later, so it is the least.
void Laps::BookInCompany(const Lap& lap, uint64_t lasted_ns, CardQueue& queue,
                         abi::CardWorkV1& page) {
  const abi::UsagePageV1* usage = usage_.load(std::memory_order_relaxed);
  if (usage == nullptr || lap.cost == nullptr) return;
  const uint64_t now_ns =
      OthersOf(TenantUsedNs(*usage, card_.load(std::memory_order_relaxed)), page);
  const uint64_t others_ns = now_ns - lap.company_ns + lap.company_ahead_ns;
  const uint64_t least_ns = LeastNs(lap, lasted_ns);
  if (now_ns < lap.company_ns || least_ns <= others_ns + lap.charged_ns) return;
  queue.Correct(page, lap.charged_ns, least_ns - others_ns);
  lap.cost->NoteLongest(least_ns - others_ns);
}

// Of work that was never timed.
void Laps::BookNew(const Lap& lap, const Covered::Stretch& fresh, uint64_t lasted_ns,
                   CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns) {
  const uint64_t own_ns = WithoutDelay(lasted_ns, lap.held_up_ns, lap.charged_ns);
  const uint64_t each_ns = own_ns / lap.submissions;
  queue.Correct(page, lap.charged_ns, own_ns < fresh.ns ? own_ns : fresh.ns);
  if (lap.is_distrusted) {
    if (lap.cost->samples() == 0) lap.cost->LearnDoubtful(lap.charged_ns / lap.submissions);
    return LearnDistrusted(lap, each_ns, lasted_ns, now_ns);
  }
  if (own_ns < lasted_ns && own_ns <= lap.charged_ns) return lap.cost->LearnGuess(each_ns);
  const bool is_sure = lap.is_exact && !queue.HadCompany(lap.ticket - lap.all_ns) &&
                       lap.others_ns == 0 && lap.all_ns == lap.charged_ns;
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
void Laps::Teach(const Lap& lap, uint64_t each_ns, bool had_company) const {
  if (had_company) return lap.cost->LearnAtMost(each_ns);
  const uint64_t least_ns = LeastNs(lap, each_ns);
  if (lap.first_at_ns != 0 && lap.cost->IsOneOfMany())
    return lap.cost->LearnRough(least_ns, each_ns);
  if (lap.is_sole && lap.all_ns == lap.charged_ns && lap.others_ns == 0)
    lap.cost->NoteLongest(least_ns);
  lap.cost->LearnBetween(least_ns, each_ns);
}

// What other threads gave to their streams while the lap's only submission was made. Whether that
// was done before it or after it nobody can tell.
uint64_t Laps::BesideNs(const Lap& lap) { return lap.is_alone ? lap.all_ns - lap.charged_ns : 0; }

void Laps::TeachBeside(const Lap& lap, uint64_t lasted_ns) {
  const uint64_t others_ns = lap.others_ns + BesideNs(lap);
  const uint64_t least_ns = lasted_ns > others_ns ? lasted_ns - others_ns : 0;
  lap.cost->LearnRough(least_ns, MostNs(lap, lasted_ns));
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

void Laps::Remove(uint32_t index) {
  const uint32_t count = open() - 1;
  for (uint32_t i = index; i < count; ++i) laps_[i] = laps_[i + 1];
  count_.store(count, std::memory_order_relaxed);
}

void Laps::Collect(StreamTable& streams) {
  EventPool::Marks in_use{};
  in_use.Set(base_);
  in_use.Set(zero_begin_);
  in_use.Set(zero_end_);
  for (uint32_t i = 0; i < open(); ++i) {
    in_use.Set(laps_[i].begin);
    in_use.Set(laps_[i].end);
  }
  streams.ForEach([&](const StreamState& state) {
    in_use.Set(state.lap_event.load(std::memory_order_relaxed));
  });
  events_.FreeAllBut(in_use);
}

void Laps::Forget(CUcontext context) {
  for (uint32_t i = 0; i < open();) {
    if (context == nullptr || events_.ContextOf(laps_[i].end) == context) {
      laps_[i].state->StopWaiting();  // its handle may come back
      Remove(i);
    } else {
      ++i;
    }
  }
  if (zero_begin_ != 0 && (context == nullptr || events_.ContextOf(zero_begin_) == context))
    ForgetZero();
  if (base_ != 0 && (context == nullptr || events_.ContextOf(base_) == context)) base_ = 0;
  events_.Forget(context);
  Publish();
}

void Laps::Distrust(const Cost& cost) {
  for (uint32_t i = 0; i < open(); ++i) {
    laps_[i].is_distrusted = true;
    laps_[i].held_others_back |= laps_[i].cost != &cost;
  }
}

void Laps::Publish() {
  const Lap* first = nullptr;
  uint32_t unknown = 0;
  for (uint32_t i = 0; i < open(); ++i) {
    if (laps_[i].state->is_held.load(std::memory_order_relaxed)) continue;
    if (first == nullptr) first = &laps_[i];
    unknown += laps_[i].is_unknown;
  }
  unknown_.store(unknown, std::memory_order_relaxed);
  first_.store(first == nullptr ? 0 : first->ticket, std::memory_order_relaxed);
  first_end_ns_.store(first == nullptr ? 0 : first->end_ns, std::memory_order_relaxed);
  first_state_.store(first == nullptr ? nullptr : first->state, std::memory_order_relaxed);
  first_cost_.store(first == nullptr ? nullptr : first->cost, std::memory_order_relaxed);
  oldest_end_ns_.store(open() == 0 ? 0 : laps_[0].end_ns, std::memory_order_relaxed);
}

}  // namespace warpshare::interposer
