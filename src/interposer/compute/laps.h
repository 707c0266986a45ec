// Timing what a process has on one card. A lap is a run of submissions to one stream that never let
// it run dry, between two events; the end of one is the beginning of the next. The time between the
// events is what the card took for all of it, whatever the parts were thought to cost.
//
// Laps of several streams may cover the same time. So what a lap took is compared with all that was
// charged meanwhile, whatever the stream, and only for the time that no lap has covered yet
// (covered.h). Its own part of it is by what it was charged.
//
// All calls with lock() held, which nobody waits for: who does not get it leaves the lap out.
#pragma once

#include <cstdint>

#include "interposer/compute/card_queue.h"
#include "interposer/compute/company.h"
#include "interposer/compute/cost_table.h"
#include "interposer/compute/covered.h"
#include "interposer/compute/event_pool.h"
#include "interposer/compute/event_zero.h"
#include "interposer/compute/families.h"
#include "interposer/compute/repeats.h"
#include "interposer/compute/streams.h"
#include "interposer/compute/tenant_cover.h"
#include "interposer/compute/tenant_time.h"
#include "interposer/guest/lock.h"

namespace warpshare::interposer {

class Laps {
 public:
  guest::Lock& lock() { return lock_; }

  // Where a stream is now.
  struct Point {
    StreamTable& streams;
    StreamState& state;
    CUstream stream;
    bool is_tight;             // it had work left when the last submission came
    bool is_alone;             // which begins and ends a lap
    bool was_prompt;           // without a pause of this thread in between
    bool ends_late;            // the call waited for the end, which the thread was to wake up for
    bool is_sole;              // no other thread submits
    bool is_priced;            // by other work of its function, if it was never timed
    bool is_sized;             // what it was thought to cost is by its bytes
    Family* family;            // of a kernel that is timed for itself ...
    uint64_t threads;          // ... and how many it has
    uint64_t held_up_ns;       // ... of so long
    uint64_t left_ns;          // of that, for what the tenant before may have left to the card
    uint64_t at_ns;            // when it is submitted
    uint32_t turn_word;        // of the turn that it is submitted in ...
    uint64_t first_at_ns;      // ... as the first; 0: it is not
    uint64_t others_ns;        // work that other streams had when it began, if it is alone ...
    uint64_t least_others_ns;  // ... that fall into its lap, as reckoned; 0: it had work too
    uint64_t ticket;
    uint64_t company_ns;        // ... to the others than this one
    uint64_t company_ahead_ns;  // what these had in flight when it began, if it is alone
    uint64_t end_ns;            // when the card is expected to be here
  };

  // The card's turn as it stands, and what the tenant's processes are charged.
  void Follow(const abi::TurnV1& turn, abi::UsagePageV1& usage, uint32_t card) {
    turn_.store(&turn, std::memory_order_relaxed);
    usage_.store(&usage, std::memory_order_relaxed);
    card_.store(card, std::memory_order_relaxed);
  }

  // Whether the stream has done all that it was given. Asks the driver.
  static bool IsIdle(CUstream stream);

  // The lap of the stream begins here, before the next submission. If it is tight, the one before
  // ends here.
  void Begin(const Point& point);
  // ... and ends here, after the last one, which is `held_up_ns` behind the begin and may get there
  // later still. False: it could not be timed.
  bool End(Point point);

  // The lap just ended: did the stream get there as soon as it was submitted? Then there are gaps
  // in its time, and it is charged as it was; but where one submission is all there is between the
  // events, its time is as exact as that was prompt.
  bool LeftDry(StreamState& state);

  // Asks the driver which laps are over, and books those. `page` is written.
  void Poll(CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns);

  // The card does not begin what was submitted after `ticket` before then. Without the lock.
  void TurnBegins(uint64_t ticket, uint64_t ns) {
    turn_ticket_.store(ticket, std::memory_order_relaxed);
    turn_begin_ns_.store(ns, std::memory_order_relaxed);
  }

  // What is open now lasts as long as it does because a call was held back, perhaps: it is charged,
  // and nothing is learned from it, unless all those calls were for more of the same `cost`.
  void Distrust(const Cost& cost);

  // A thread waited for the end of something, and has seen it. Without the lock.
  void Awaited(uint64_t now_ns) { awaited_ns_.store(now_ns, std::memory_order_relaxed); }

  void Forget(CUcontext context);  // null: all

  // Of the latest work that was seen to be over: what came before in other streams may not be.
  // Without the lock.
  uint64_t passed_ticket() const { return passed_ticket_.load(std::memory_order_relaxed); }

  // Without the lock. How many laps are not over, of those how many are of work that was never
  // timed or not well enough, and when the oldest of all is expected to be over.
  uint32_t open() const { return count_.load(std::memory_order_relaxed); }
  uint32_t open_unknown() const { return unknown_.load(std::memory_order_relaxed); }
  uint64_t oldest_end_ns() const { return oldest_end_ns_.load(std::memory_order_relaxed); }
  // The oldest of those whose stream waits for nothing but the card: a name for it, and when it is
  // expected to be over; 0: none.
  uint64_t first() const { return first_.load(std::memory_order_relaxed); }
  uint64_t first_end_ns() const { return first_end_ns_.load(std::memory_order_relaxed); }
  // Whether that is the same work in the same stream.
  bool IsMoreOfFirst(const StreamState& state, const Cost& cost) const {
    return first_state_.load(std::memory_order_relaxed) == &state &&
           first_cost_.load(std::memory_order_relaxed) == &cost;
  }

 private:
  struct Lap {
    EventId begin;
    EventId end;
    bool is_new;
    bool is_unknown;
    bool is_alone;
    bool was_prompt;
    bool ends_late;
    bool is_exact;
    bool has_gaps;
    bool is_distrusted;
    bool is_sole;
    bool held_others_back;  // other work than its own, when it was
    uint64_t at_ns;         // when its last work was submitted
    uint32_t turn_word;
    uint64_t first_at_ns;
    uint32_t submissions;
    uint64_t held_up_ns;
    uint64_t left_ns;
    uint64_t others_ns;
    uint64_t least_others_ns;
    uint64_t charged_ns;
    uint64_t all_ns;        // charged meanwhile, with other streams
    uint64_t uncounted_ns;  // of that, what no ticket counts
    uint64_t company_ns;    // charged to the others when it began
    uint64_t company_ahead_ns;
    Cost* cost;     // of each submission; null: they differ
    uint64_t name;  // that it was kept for
    bool is_sized;  // of the only one ...
    Family* family;
    uint64_t threads;
    uint64_t ticket;  // of the queue at the end
    uint64_t end_ns;  // expected
    uint32_t waits;   // of the stream, before its end
    StreamState* state;
  };
  static constexpr uint32_t kLaps = 48;
  static constexpr uint32_t kLapsOfWaiting = 8;  // of a stream that may wait for something
  static constexpr uint32_t kLapsOfStream = 24;  // what kMostAheadNs has, and a few

  bool IsFull(const StreamState& state) const;
  static void ForgetLostCost(Lap& lap);
  bool IsOver(EventId event) const;
  static bool ElapsedNs(CUevent begin, CUevent end, int64_t& ns);
  EventId Record(const Point& point);
  void Pass(const Lap& lap, CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns,
            uint64_t others_ns);
  uint64_t BeginsNextAt(const Lap& lap, uint64_t now_ns) const;
  void Await(const Lap& lap, CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns);
  EventId BeginZero(const Point& point, EventId event, uint64_t now_ns);
  void PollZero(uint64_t now_ns);
  void ForgetZero() { zero_begin_ = zero_end_ = 0; }
  bool Push(const Point& point, EventId end);
  void BeginNext(const StreamState& state, uint32_t from, uint64_t now_ns);
  void Book(const Lap& lap, CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns);
  bool BookOfTenant(const Lap& lap, const Covered::Stretch& fresh, uint64_t lasted_ns,
                    bool had_company, CardQueue& queue, abi::CardWorkV1& page);
  bool IsToldByEnds(const Lap& lap, uint64_t lasted_ns, abi::CardUsageV1& all) const;
  bool HasVaried(const Lap& lap);
  TenantCover::Lap OfTenant(const Lap& lap, uint64_t lasted_ns, bool is_told) const;
  bool TeachOfTenant(const Lap& lap, const Covered::Stretch& fresh,
                     const TenantCover::Stretch& stretch, uint64_t lasted_ns, bool is_told);
  void TeachByTime(Cost& cost, const TenantCover::Stretch& stretch);
  static void MovePrice(Cost& cost, uint64_t ratio);
  void DoubtPrice(const Lap& lap, const TenantCover::Stretch& stretch, const abi::CardUsageV1& all);
  bool WasShared(const Lap& lap, uint64_t lasted_ns) const;
  static void BookShared(const Lap& lap, const Covered::Stretch& fresh, uint64_t lasted_ns,
                         CardQueue& queue, abi::CardWorkV1& page);
  void BookNew(const Lap& lap, const Covered::Stretch& fresh, uint64_t lasted_ns, bool had_company,
               CardQueue& queue, abi::CardWorkV1& page, uint64_t now_ns);
  static void LearnDistrusted(const Lap& lap, uint64_t each_ns, uint64_t lasted_ns,
                              uint64_t now_ns);
  uint64_t LeastNs(const Lap& lap, uint64_t most_ns) const;
  bool MayHaveWaited(const Lap& lap) const;
  uint64_t WaitedNs(const Lap& lap) const;
  uint64_t ChargedEverNs() const;
  uint64_t OwnNs(const Lap& lap, uint64_t lasted_ns, const abi::CardWorkV1& page) const;
  static uint64_t OfLap(const Lap& lap, uint64_t lasted_ns, uint64_t charged_ns, uint64_t most_ns);
  bool HadCompany(const Lap& lap, uint64_t lasted_ns, const CardQueue& queue,
                  const abi::CardWorkV1& page, uint64_t now_ns) const;
  bool WasAwaited(const Lap& lap, uint64_t end_ns, uint64_t now_ns) const;
  void BookInCompany(const Lap& lap, const Covered::Stretch& fresh, CardQueue& queue,
                     abi::CardWorkV1& page);
  static bool IsFirstOnCard(const Lap& lap);
  void TeachInCompany(const Lap& lap, uint64_t least_ns, uint64_t most_ns);
  static bool IsSeenLate(const Lap& lap, uint64_t least_ns, uint64_t most_ns);
  static void LearnBetween(const Lap& lap, uint64_t least_ns, uint64_t most_ns);
  static uint64_t MostNs(const Lap& lap, uint64_t each_ns);
  void Teach(const Lap& lap, uint64_t each_ns) const;
  static uint64_t BesideNs(const Lap& lap);
  void TeachBeside(const Lap& lap, uint64_t lasted_ns);
  void SetClock(const Lap& lap, uint64_t lasted_ns, int64_t end);
  Covered::Stretch Cover(const Lap& lap, uint64_t lasted_ns);
  void Remove(uint32_t index);
  void Collect(StreamTable& streams);
  void Publish();

  std::atomic<uint32_t> unknown_;  // first: every submission looks at it
  std::atomic<uint32_t> count_;
  std::atomic<uint64_t> oldest_end_ns_;
  std::atomic<uint64_t> first_;
  std::atomic<uint64_t> first_end_ns_;
  std::atomic<const StreamState*> first_state_;
  std::atomic<const Cost*> first_cost_;
  std::atomic<const abi::TurnV1*> turn_;
  std::atomic<abi::UsagePageV1*> usage_;
  std::atomic<uint32_t> card_;
  std::atomic<uint64_t> turn_ticket_;
  std::atomic<uint64_t> turn_begin_ns_;
  std::atomic<uint64_t> passed_ticket_;
  std::atomic<uint64_t> awaited_ns_;
  guest::Lock lock_;
  Company company_;
  Repeats repeats_;
  EventPool events_;
  EventZero zero_;
  EventId zero_begin_ = 0;  // of the one that is being measured; 0: none is
  EventId zero_end_ = 0;
  Lap laps_[kLaps] = {};
  EventId base_ = 0;               // the zero of covered_'s clock ...
  uint64_t base_at_ns_ = 0;        // ... which was no later than then (CLOCK_MONOTONIC)
  uint64_t covered_until_ns_ = 0;  // the end of the latest lap
  uint64_t company_until_ns_ = 0;  // other processes had work of late
  uint64_t varies_until_ns_ = 0;   // of work whose length varies, there was some of late
  Covered covered_;
};

}  // namespace warpshare::interposer
