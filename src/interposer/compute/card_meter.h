// One card's GPU time as this process takes it: holds a submission back until it may go, charges
// it, and times a part of them.
//
//   Submission submission;
//   meter.Begin(submission, ...);           may wait
//   const CUresult result = call();
//   meter.End(submission, ..., result == CUDA_SUCCESS);
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
  uint32_t turn_word;         // of the turn that it was let through in
  uint64_t others_ns;         // work of other streams before it, if it is timed for itself ...
  uint64_t company_ahead_ns;  // ... of other processes, too
  uint64_t least_others_ns;   // ... and how much of that is timed with it, as far as is known
  bool is_alone;              // timed for itself
  bool is_tight;              // the stream had work left, or the process had all along
  bool is_held;               // it waits for something else
  bool is_first;              // of a turn: the card may still be at what the tenant before left it
  bool is_behind;             // nothing of this turn was seen to end: the card may be at that, too
  bool is_priced;             // though never timed, by other shapes of its function ...
  bool is_well_priced;        // ... of which some are known
  bool blocks;                // the call may return only when the work has ended
};

class Telling;

class CardMeter {
 public:
  // `cost` is that of the work.
  void Begin(Submission& submission, Session& session, uint32_t card, const Work& work);
  void End(const Submission& submission, Session& session, uint32_t card, const Work& work,
           bool was_submitted);

  // The stream was seen to have ended all its work, by a thread that has waited for that since
  // then; all streams of the context were; something was: perhaps that was all.
  void Ended(CUstream stream, uint64_t awaited_since_ns, Session& session, uint32_t card);
  void ContextEnded(uint64_t awaited_since_ns, Session& session, uint32_t card);
  void SomethingEnded(uint64_t awaited_since_ns, Session& session, uint32_t card);
  // The program has asked whether the stream has.
  void Asked(CUstream stream, bool has_ended, Session& session, uint32_t card);

  // telling.h
  void BeginTelling(Session& session, uint32_t card);
  void EndTelling(Session& session, uint32_t card);
  // What is in flight may end later than it is expected to.
  bool MayBeLate() const { return late_ns_.load(std::memory_order_relaxed) != 0; }
  // The stream is plain (streams.h); all are.
  bool IsPlain(CUstream stream) { return streams_.Of(stream).IsPlain(); }
  bool AreAllPlain() const;

  // What the stream does next waits for something else: time that is not the card's.
  void Interrupt(CUstream stream) {
    was_interrupted_.store(true, std::memory_order_relaxed);
    Interrupt(streams_.Of(stream));
  }
  // What all streams do next does.
  void InterruptAll() {
    was_interrupted_.store(true, std::memory_order_relaxed);
    streams_.ForEach([](StreamState& state) { Interrupt(state); });
  }

  void Forget(CUcontext context);  // null: all

 private:
  static abi::CardWorkV1& PageOf(Session& session, uint32_t card) {
    return session.usage().slots[session.slot()].work[card];
  }

  static std::atomic<uint32_t>& AwaitedOf(Session& session, uint32_t card) {
    return session.usage().slots[session.slot()].awaited_us_plus_1[card];
  }

  static void Interrupt(StreamState& state) {
    state.lap_event.store(0, std::memory_order_relaxed);
    state.waits.fetch_add(1, std::memory_order_relaxed);
  }

  void Enter(const Submission& submission, Session& session, uint32_t card, uint64_t now_ns);
  void Leave(const Submission& submission, abi::CardWorkV1& page);
  void NoteLate(const Submission& submission);
  bool EnterAtOnce(Submission& submission, Session& session, uint32_t card, abi::CardWorkV1& page,
                   uint64_t now_ns);
  void EndLap(Submission& submission, Session& session, uint32_t card, uint64_t now_ns);
  void BeginStretch(abi::CardUsageV1& all, const abi::CardWorkV1& page, uint64_t now_ns);
  void TellCompany(const Submission& submission, Session& session, uint32_t card);
  void BeginTurn(const Submission& submission, const abi::TurnV1& turn, abi::CardWorkV1& page,
                 uint64_t now_ns);
  uint64_t MostAheadNs(const Submission& submission, const abi::TurnV1& turn) const;
  bool HasRoom(const Submission& submission, const abi::TurnV1& turn, const abi::CardWorkV1& page,
               uint64_t now_ns) const;
  bool IsStuck(const Submission& submission, uint64_t now_ns);
  uint64_t EnterLate(Submission& submission, Session& session, uint32_t card, const Work& work);
  void AwaitTurn(TurnWait& wait, Telling& telling, const abi::TurnV1& turn, abi::CardWorkV1& page,
                 uint64_t now_ns);
  uint64_t LookAtOwn(Session& session, uint32_t card, uint64_t now_ns);
  void AwaitProgress(const Submission& submission, const abi::TurnV1& turn, abi::CardWorkV1& page,
                     uint64_t now_ns);
  void TryPoll(abi::CardWorkV1& page, uint64_t now_ns);
  static uint64_t LeftNs(const Submission& submission, const abi::TurnV1& turn);
  bool HasHadCompany() const;
  bool IsDueAlone(const Submission& submission, const abi::TurnV1& turn,
                  const abi::CardWorkV1& page);
  void BeginAlone(Submission& submission, Session& session, uint32_t card, uint64_t now_ns);
  // No other thread has submitted for a while.
  bool IsSoleThread(uint64_t now_ns) const {
    return last_thread_.load(std::memory_order_relaxed) == __builtin_thread_pointer() &&
           thread_since_ns_.load(std::memory_order_relaxed) + kSoleThreadNs < now_ns;
  }
  bool MayBeBehind(const Submission& submission) const;
  bool WasAtRest(const Submission& submission) const;
  bool IsTight(const Submission& submission, const abi::CardWorkV1& page) const;
  static bool MayHaveRunDry(const Submission& submission, uint64_t now_ns);
  bool MayBeginLap(const Submission& submission, const abi::CardWorkV1& page) const;
  void BeginLap(const Submission& submission, Session& session, uint32_t card);
  void LookBehind(StreamState& state, abi::CardWorkV1& page, uint64_t now_ns);
  Laps::Point PointOf(const Submission& submission, Session& session, uint32_t card);
  uint64_t PriceOf(Submission& submission, const Work& work);
  uint64_t FirstPriceOf(Submission& submission, const Work& work);
  void AllEnded(Session& session, uint32_t card, uint64_t now_ns);
  void NothingIsLate(Session& session, uint32_t card);
  void SayAwaited(Session& session, uint32_t card);
  // In flight was work that nothing timed, and it was, all of that time and until then.
  struct Seen {
    uint64_t since_ns;
    uint64_t until_ns;
    Cost* cost;   // of it; null: not known, or of several kinds
    bool is_own;  // it surely was this process's
  };
  void SeenToEnd(StreamState& state, const Seen& seen, Session& session, uint32_t card);
  void NoteLateEnd(const Seen& seen, Session& session, uint32_t card);
  void TellOfEnd(uint64_t awaited_since_ns, Session& session, uint32_t card, uint64_t now_ns);
  Cost* SoleWork() const;

  // What every submission reads lies in two cache lines.
  alignas(64) CardQueue queue_;
  std::atomic<uint64_t> next_alone_ns_;
  std::atomic<const Cost*> last_alone_;  // timed for itself as that was due
  std::atomic<bool> others_came_;        // since then, of another cost
  std::atomic<uint64_t> ended_ticket_;   // all until then was seen to be over
  std::atomic<uint64_t> told_ticket_;    // ... by a thread, which the tenant's other processes know
  std::atomic<uint32_t> last_word_;      // of the turn that something was last submitted in
  std::atomic<uint64_t> first_ticket_;   // of the first in it; 0: nobody had the card before
  guest::QuickClock clock_;
  Laps laps_;
  StreamTable streams_;
  StaticShare static_share_;
  Stuck stuck_;
  Waiters waiters_;
  std::atomic<uint64_t> next_lap_ns_;      // of a stream with work and no lap; not sooner
  std::atomic<uint64_t> late_ns_;          // how much later than expected what is in flight may end
  std::atomic<const void*> last_thread_;   // that submitted
  std::atomic<uint64_t> thread_since_ns_;  // since when no other has
  std::atomic<bool> was_timed_;            // what was submitted last is, for itself
  std::atomic<bool> was_interrupted_;      // any stream ever was
  std::atomic<uint32_t> tellers_;          // threads that will tell when it does
};

}  // namespace warpshare::interposer
