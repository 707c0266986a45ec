// All that this process has charged to its tenant, by what frees it. Empty in a fork child, whose
// driver knows nothing of it either.
#pragma once

#include "interposer/accounts/array_sizes.h"
#include "interposer/accounts/contexts.h"
#include "interposer/accounts/current_pool.h"
#include "interposer/accounts/driver_report.h"
#include "interposer/accounts/functions.h"
#include "interposer/accounts/graph_memory.h"
#include "interposer/accounts/ipc_memory.h"
#include "interposer/accounts/late_growth.h"
#include "interposer/accounts/live_table.h"
#include "interposer/accounts/overhead.h"
#include "interposer/accounts/pending_frees.h"
#include "interposer/accounts/physical_memory.h"
#include "interposer/accounts/place.h"
#include "interposer/accounts/pools.h"
#include "interposer/accounts/rounding.h"
#include "interposer/guest/fork_wiped.h"

namespace warpshare::interposer {

struct Accounts {
  static Accounts& OfProcess() { return g_accounts.Get(); }
  // The same to look at what is read without a lock.
  static const Accounts& Peek() { return g_accounts.Peek(); }

  // By device pointer. Beside what else every allocation reads.
  static LiveTable& pointers() { return Session::PointersOfProcess(); }

  // In this order, so that the epoch and the pool of the first card are one line of memory.
  ContextDevices context_devices;
  CurrentPools current_pools;
  LiveTable arrays;  // by CUarray and CUmipmappedArray
  ArraySizes array_sizes;
  LiveTable code;  // by CUmodule and CUlibrary, and what came later of them in a context
  DenseLiveTable late_code_that_goes;
  guest::Lock needing_library;  // late_code.h
  Functions functions;
  Contexts contexts;
  Pools pools;
  PendingFrees pending_frees;
  PhysicalMemory physical_memory;
  IpcMemory ipc_memory;
  GraphMemory graph_memory;
  DriverReporter driver_reporter;

  struct OfCard {
    Rounding pitch_rule;  // how the driver pads rows
    ReportGap report_gap;
    std::atomic<bool> measures_context;  // measuring_turn.h
    std::atomic<bool> measures_code;
  };
  OfCard of_card[abi::kMaxCards + 1];

  // What is entered of a card, over all tables. CardAccount::Own, which has what is in flight too,
  // is never less: the two are equal when nothing is in flight. For that an entry is taken out
  // before the driver is asked to free what it names, or else this waits until both are done.
  uint64_t BytesOn(uint32_t card);
  // By which what is charged by its report may grow, and is not charged for that yet.
  ReportedStore::Calls ReportedCallsOn(uint32_t card) {
    const ReportedStore::Calls of_pools = pools.CallsOn(card);
    const ReportedStore::Calls of_graphs = graph_memory.CallsOn(card);
    return {.begun = of_pools.begun + of_graphs.begun,
            .in_flight = of_pools.in_flight + of_graphs.in_flight};
  }

 private:
  static guest::ForkWiped<Accounts> g_accounts;
};

}  // namespace warpshare::interposer
