// A process's work on one card as it stands: until when the card will be at it, and how much GPU
// time it has taken so far. Both are published in the process's slot, where the card's arbiter
// reads them.
//
// Written by the threads of this process. The time used is exact, whoever adds at the same time;
// the queue's end and the ticket may miss what another thread adds in the same instant: one locked
// add instead of three, and the next progress sets them right.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/region/compute.h"
#include "abi/region/usage_page.h"

namespace warpshare::interposer {

class CardQueue {
 public:
  // The queue of all the tenant's processes, of which this one is a part. Without it, it is alone.
  void Join(abi::CardUsageV1& tenant) { tenant_.store(&tenant, std::memory_order_relaxed); }

  // Published before the turn is looked at again: the locked add keeps that order. `stream` is
  // anything that tells streams apart.
  void Enter(abi::CardWorkV1& page, uint64_t now_ns, uint64_t cost_ns, const void* stream) {
    if (EndNs(page) <= now_ns) began_ticket_.store(Ticket(), std::memory_order_relaxed);
    if (last_stream_.load(std::memory_order_relaxed) != stream) {
      last_stream_.store(stream, std::memory_order_relaxed);
      switch_ticket_.store(Ticket(), std::memory_order_relaxed);
    }
    page.busy_until_ns.store(Extend(page, now_ns, cost_ns), std::memory_order_relaxed);
    submitted_ns_.store(Ticket() + cost_ns, std::memory_order_relaxed);
    Charge(page, cost_ns);
  }

  // The card is at somebody else's work until then, so what was entered last, with `cost_ns`,
  // begins no sooner.
  void BeginsAt(abi::CardWorkV1& page, uint64_t free_ns, uint64_t cost_ns) {
    if (free_ns > EndNs(page) - cost_ns) RaiseEnd(page, free_ns + cost_ns);
  }

  // What the card cannot do yet: it is queued behind something else.
  void Charge(abi::CardWorkV1& page, uint64_t cost_ns) {
    if (overcharged_ns_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      cost_ns -= TakeOvercharge(cost_ns);
    page.used_ns.fetch_add(cost_ns, std::memory_order_seq_cst);
  }

  // It was not submitted after all.
  void Leave(abi::CardWorkV1& page, uint64_t cost_ns) {
    page.busy_until_ns.fetch_sub(cost_ns, std::memory_order_relaxed);
    if (std::atomic<uint64_t>* all = Tenant()) all->fetch_sub(cost_ns, std::memory_order_relaxed);
    submitted_ns_.store(Ticket() - cost_ns, std::memory_order_relaxed);
    Discharge(cost_ns);
  }
  void Discharge(uint64_t cost_ns) {
    overcharged_ns_.fetch_add(cost_ns, std::memory_order_relaxed);
  }

  // What was entered as `charged_ns` took `measured_ns`. The published amount only grows: what was
  // too much is taken off what comes.
  void Correct(abi::CardWorkV1& page, uint64_t charged_ns, uint64_t measured_ns) {
    if (measured_ns > charged_ns) {
      page.used_ns.fetch_add(measured_ns - charged_ns, std::memory_order_relaxed);
    } else {
      overcharged_ns_.fetch_add(charged_ns - measured_ns, std::memory_order_relaxed);
    }
  }

  // All submitted until `ticket` is done.
  void DoneUntil(abi::CardWorkV1& page, uint64_t ticket, uint64_t now_ns) {
    EndsAt(page, now_ns + (Ticket() - ticket));
  }
  // The tenant's processes are told that all submitted until `ticket` is over.
  void IsOver(uint64_t ticket) {
    abi::CardUsageV1* tenant = tenant_.load(std::memory_order_relaxed);
    uint64_t before = over_ticket_.load(std::memory_order_relaxed);
    if (tenant == nullptr || ticket <= before) return;
    if (over_ticket_.compare_exchange_strong(before, ticket, std::memory_order_relaxed))
      tenant->over_ns.fetch_add(ticket - before, std::memory_order_relaxed);
  }
  // It ends then, if it was thought to end later. Whoever of the tenant submitted since then knows
  // better when all ends.
  void EndsAt(abi::CardWorkV1& page, uint64_t end_ns) {
    uint64_t before_ns = EndNs(page);
    if (end_ns >= before_ns) return;
    page.busy_until_ns.store(end_ns, std::memory_order_seq_cst);
    if (std::atomic<uint64_t>* all = Tenant())
      all->compare_exchange_strong(before_ns, end_ns, std::memory_order_relaxed);
  }
  // Something submitted until `ticket` is not done.
  void NotDoneUntil(abi::CardWorkV1& page, uint64_t ticket, uint64_t now_ns) {
    const uint64_t end_ns = now_ns + (Ticket() - ticket) + kLateNs;
    if (end_ns > EndNs(page)) RaiseEnd(page, end_ns);
  }

  // What was queued behind something else can begin.
  void Release(abi::CardWorkV1& page, uint64_t now_ns, uint64_t ns) {
    page.busy_until_ns.store(Extend(page, now_ns, ns), std::memory_order_relaxed);
  }

  // What the tenant has in flight.
  uint64_t AheadNs(const abi::CardWorkV1& page, uint64_t now_ns) const {
    const uint64_t end_ns = TenantEndNs(page, now_ns);
    return end_ns > now_ns ? end_ns - now_ns : 0;
  }
  // Whether another process of the tenant had work before or between what was submitted since
  // `ticket`. What it submits behind that runs behind it, or nearly so: little is in flight.
  bool HadCompany(uint64_t ticket) const {
    return company_.load(std::memory_order_relaxed) > ticket;
  }

  // Of this process alone, and of what was entered last, with `cost_ns`. Whether there has been
  // work without a break since `ticket`, and is still for a while before that.
  bool WasBusySince(uint64_t ticket, const abi::CardWorkV1& page, uint64_t until_ns,
                    uint64_t cost_ns) const {
    return began_ticket_.load(std::memory_order_relaxed) < ticket &&
           EndNs(page) > until_ns + cost_ns;
  }
  // ... Whether the process had work then, in whatever stream.
  bool HadWorkBefore(uint64_t cost_ns) const {
    return began_ticket_.load(std::memory_order_relaxed) + cost_ns != Ticket();
  }
  // The most that other streams have before it.
  uint64_t OthersNs(const abi::CardWorkV1& page, uint64_t now_ns, uint64_t cost_ns) const {
    const uint64_t end_ns = EndNs(page);
    const uint64_t in_flight_ns = end_ns > now_ns ? end_ns - now_ns : 0;
    const uint64_t done = Ticket() > in_flight_ns ? Ticket() - in_flight_ns : 0;
    const uint64_t switch_ticket = switch_ticket_.load(std::memory_order_relaxed);
    return switch_ticket > done + cost_ns / kFewParts ? switch_ticket - done : 0;
  }

  static uint64_t EndNs(const abi::CardWorkV1& page) {
    return page.busy_until_ns.load(std::memory_order_relaxed);
  }
  // How much was submitted so far, in ns: a point in the order of submissions.
  uint64_t Ticket() const { return submitted_ns_.load(std::memory_order_relaxed); }

 private:
  void RaiseEnd(abi::CardWorkV1& page, uint64_t end_ns) {
    page.busy_until_ns.store(end_ns, std::memory_order_relaxed);
    std::atomic<uint64_t>* all = Tenant();
    if (all != nullptr && all->load(std::memory_order_relaxed) < end_ns)
      all->store(end_ns, std::memory_order_relaxed);
  }

  static constexpr uint64_t kLateNs = 20'000;  // it is looked at again before that is over

  // No process queues more than that; what says so was left by one that died, or lies.
  static constexpr uint64_t kMostNs = 1'000'000'000;

  std::atomic<uint64_t>* Tenant() const {
    abi::CardUsageV1* tenant = tenant_.load(std::memory_order_relaxed);
    return tenant == nullptr ? nullptr : &tenant->queue_end_ns;
  }

  uint64_t TenantEndNs(const abi::CardWorkV1& page, uint64_t now_ns) const {
    const uint64_t own_ns = EndNs(page);
    const std::atomic<uint64_t>* all = Tenant();
    if (all == nullptr) return own_ns;
    const uint64_t end_ns = all->load(std::memory_order_relaxed);
    return end_ns > own_ns && end_ns < now_ns + kMostNs ? end_ns : own_ns;
  }

  // So little of another's work before one's own does not spoil a measure.
  static constexpr uint64_t kFewParts = 16;

  // Returns the new end of the tenant's queue.
  uint64_t Extend(const abi::CardWorkV1& page, uint64_t now_ns, uint64_t ns) {
    const uint64_t end_ns = TenantEndNs(page, now_ns);
    if (end_ns > now_ns + ns / kFewParts && end_ns != EndNs(page))
      company_.store(Ticket() + 1, std::memory_order_relaxed);
    const uint64_t extended_ns = (end_ns > now_ns ? end_ns : now_ns) + ns;
    if (std::atomic<uint64_t>* all = Tenant()) all->store(extended_ns, std::memory_order_relaxed);
    return extended_ns;
  }

  uint64_t TakeOvercharge(uint64_t most_ns) {
    uint64_t there = overcharged_ns_.load(std::memory_order_relaxed);
    uint64_t taken;
    do {
      taken = there < most_ns ? there : most_ns;
    } while (
        !overcharged_ns_.compare_exchange_weak(there, there - taken, std::memory_order_relaxed));
    return taken;
  }

  std::atomic<abi::CardUsageV1*> tenant_ = nullptr;
  std::atomic<uint64_t> submitted_ns_;
  std::atomic<uint64_t> overcharged_ns_;
  std::atomic<uint64_t> over_ticket_;     // known to be over by all the tenant's processes
  std::atomic<uint64_t> began_ticket_;    // at which it last had nothing to do
  std::atomic<const void*> last_stream_;  // that submitted
  std::atomic<uint64_t> switch_ticket_;   // at which another one had, before
  std::atomic<uint64_t> company_;         // 1 + the ticket at which another process was last met
};

}  // namespace warpshare::interposer
