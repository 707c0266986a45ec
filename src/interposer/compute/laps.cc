#include "interposer/compute/laps.h"

#include "interposer/accounts/capture_tolerance.h"
#include "interposer/compute/timing.h"
#include "interposer/dispatch/default_stream.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

constexpr uint64_t kMostOthersNs = 1'000'000'000;

CUcontext ContextOf(CUstream stream) {
  CUcontext context = nullptr;
  if (!IsDefault(stream) && REAL(cuStreamGetCtx)(stream, &context) == CUDA_SUCCESS) return context;
  return REAL(cuCtxGetCurrent)(&context) == CUDA_SUCCESS ? context : nullptr;
}

// Tickets may miss what another thread adds, so it may seem to be less than the lap's own.
uint64_t AllNs(const Laps::Point& point) {
  const uint64_t own_ns = point.state.lap_ns.load(std::memory_order_relaxed);
  const uint64_t all_ns = point.ticket - point.state.lap_ticket.load(std::memory_order_relaxed) +
                          point.state.lap_held_ns.load(std::memory_order_relaxed);
  return all_ns > own_ns && all_ns < own_ns + kMostOthersNs ? all_ns : (own_ns == 0 ? 1 : own_ns);
}

void StartLap(const Laps::Point& point, EventId begin) {
  StreamState& state = point.state;
  state.lap_ticket.store(point.ticket, std::memory_order_relaxed);
  state.lap_ns.store(0, std::memory_order_relaxed);
  state.lap_held_ns.store(0, std::memory_order_relaxed);
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
                  .ends_late = point.ends_late,
                  .is_exact = !point.ends_late && (point.is_tight || point.was_prompt),
                  .has_gaps = false,
                  .is_distrusted = false,
                  .is_sole = point.is_sole,
                  .held_others_back = false,
                  .at_ns = point.at_ns,
                  .turn_word = point.turn_word,
                  .first_at_ns = point.first_at_ns,
                  .submissions = submissions,
                  .held_up_ns = point.held_up_ns,
                  .left_ns = point.left_ns,
                  .others_ns = point.others_ns,
                  .least_others_ns = point.least_others_ns,
                  .charged_ns = state.lap_ns.load(std::memory_order_relaxed),
                  .all_ns = AllNs(point),
                  .uncounted_ns = state.lap_held_ns.load(std::memory_order_relaxed),
                  .company_ns = state.lap_company_ns.load(std::memory_order_relaxed),
                  .company_ahead_ns = point.company_ahead_ns,
                  .cost = cost,
                  .name = cost != nullptr ? cost->name() : 0,
                  .is_sized = point.is_sized,
                  .family = point.family,
                  .threads = point.threads,
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
    Lap& lap = laps_[i];
    if (lap.state != waiting && IsOver(lap.end)) {
      ForgetLostCost(lap);
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

// Another name may have taken its place since: it says nothing of that one's work.
void Laps::ForgetLostCost(Lap& lap) {
  if (lap.cost == nullptr || lap.cost->name() == lap.name) return;
  lap.cost = nullptr;
  lap.is_new = false;
  lap.is_unknown = false;
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
  if (lap.ticket > passed_ticket()) passed_ticket_.store(lap.ticket, std::memory_order_relaxed);
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

bool Laps::ElapsedNs(CUevent begin, CUevent end, int64_t& ns) {
  float ms = 0;
  if (REAL(cuEventElapsedTime)(&ms, begin, end) != CUDA_SUCCESS) return false;
  ns = static_cast<int64_t>(static_cast<double>(ms) * 1e6);
  return true;
}

}  // namespace warpshare::interposer
