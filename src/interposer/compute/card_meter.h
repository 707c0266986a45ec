// One card's GPU time as this process takes it: holds a submission back until it may go, charges
// it, and times a part of them.
//
//   Submission submission;
//   meter.Begin(submission, ...);           may wait
//   const CUresult result = call();
//   meter.End(submission, result == CUDA_SUCCESS);
//
// Any thread. On the fast path there is no lock and no system call: the turn's word, the clock, two
// tables and one locked add. What it waits for has an end: a turn (or the arbiter's), work in
// flight, and where that makes no progress kStuckNs.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/compute/card_queue.h"
#include "interposer/compute/cost_table.h"
#include "interposer/compute/families.h"
#include "interposer/compute/laps.h"
#include "interposer/compute/static_share.h"
#include "interposer/compute/streams.h"
#include "interposer/compute/stuck.h"
#include "interposer/compute/turn_wait.h"
#include "interposer/compute/work.h"
#include "interposer/guest/quick_clock.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

struct Submission {
  CUstream stream;
  StreamState* state;
  Cost* cost;
  uint64_t charged_ns;
  uint64_t at_ns;
  uint64_t others_ns;        // work of other streams before it, if it is timed for itself ...
  uint64_t least_others_ns;  // ... and how much of that is timed with it, as far as is known
  bool is_alone;             // timed for itself
  bool is_tight;             // the stream had work left, or the process had all along
  bool is_held;              // it waits for something else
  bool is_first;             // of a turn: the card may still be at what the tenant before left it
  bool is_priced;            // though never timed, by the shapes of its function
  bool blocks;               // the call may return only when the work has ended
};

class CardMeter {
 public:
  // `cost` is that of the work.
  void Begin(Submission& submission, Session& session, uint32_t card, const Work& work);
  void End(const Submission& submission, Session& session, uint32_t card, bool was_submitted);

  // The stream was seen to have ended all its work; all streams of a context were.
  void Ended(CUstream stream, Session& session, uint32_t card);
  void ContextEnded(Session& session, uint32_t card);

  // What the stream does next waits for something else: time that is not the card's.
  void Interrupt(CUstream stream) { Interrupt(streams_.Of(stream)); }
  // What all streams do next does.
  void InterruptAll() {
    streams_.ForEach([](StreamState& state) { Interrupt(state); });
  }

  void Forget(CUcontext context);  // null: all

 private:
  static abi::CardWorkV1& PageOf(Session& session, uint32_t card) {
    return session.usage().slots[session.slot()].work[card];
  }

  static void Interrupt(StreamState& state) {
    state.lap_event.store(0, std::memory_order_relaxed);
    state.waits.fetch_add(1, std::memory_order_relaxed);
  }

  void Enter(const Submission& submission, abi::CardWorkV1& page, uint64_t now_ns);
  void Leave(const Submission& submission, abi::CardWorkV1& page);
  bool EnterAtOnce(Submission& submission, const abi::TurnV1& turn, abi::CardWorkV1& page,
                   uint64_t now_ns);
  void BeginTurn(const Submission& submission, const abi::TurnV1& turn, abi::CardWorkV1& page,
                 uint64_t now_ns);
  bool HasRoom(const Submission& submission, const abi::TurnV1& turn, const abi::CardWorkV1& page,
               uint64_t now_ns) const;
  bool IsStuck(const Submission& submission, uint64_t now_ns);
  uint64_t EnterLate(Submission& submission, Session& session, uint32_t card, const Work& work);
  void AwaitTurn(TurnWait& wait, const abi::TurnV1& turn, abi::CardWorkV1& page, uint64_t now_ns);
  void AwaitProgress(const abi::TurnV1& turn, abi::CardWorkV1& page, uint64_t now_ns, uint64_t ns);
  void TryPoll(abi::CardWorkV1& page, uint64_t now_ns);
  uint64_t HeldUpNs(const Submission& submission, uint64_t now_ns) const;
  bool IsDueAlone(const Submission& submission, const abi::CardWorkV1& page);
  void BeginAlone(Submission& submission, Session& session, uint32_t card, uint64_t now_ns);
  bool WasAtRest(const Submission& submission) const;
  bool IsTight(const Submission& submission, const abi::CardWorkV1& page) const;
  bool MayBeginLap(const Submission& submission, const abi::CardWorkV1& page) const;
  void BeginLap(const Submission& submission, Session& session, uint32_t card);
  void LookBehind(StreamState& state, abi::CardWorkV1& page, uint64_t now_ns);
  Laps::Point PointOf(const Submission& submission, Session& session, uint32_t card);
  uint64_t PriceOf(Submission& submission, const Work& work);
  uint64_t FirstPriceOf(Submission& submission, const Work& work);
  void EndedEarly(Session& session, uint32_t card, uint64_t now_ns);

  // What every submission reads lies in two cache lines.
  alignas(64) CardQueue queue_;
  std::atomic<uint64_t> next_alone_ns_;
  std::atomic<uint64_t> ended_ticket_;  // all until then was seen to be over
  std::atomic<uint32_t> last_word_;     // of the turn that something was last submitted in
  guest::QuickClock clock_;
  Laps laps_;
  StreamTable streams_;
  StaticShare static_share_;
  Stuck stuck_;
  Waiters waiters_;
  std::atomic<uint64_t> next_lap_ns_;  // of a stream with work and no lap; not sooner
  Families families_;
};

}  // namespace warpshare::interposer
