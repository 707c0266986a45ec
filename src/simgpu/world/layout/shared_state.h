// What lies in the file `world`, mapped by every process. Zero is the initial value of everything
// but the header and the locks. Any change to these structs changes kLayoutVersion: processes of
// two layouts never share a world.
//
// Who writes: the header its creator, once; a process slot its participant (under the slot's `life`
// lock); the rest anyone, under the Guarded beside it and through its journal. Words named "hint"
// are plain stores and may be wrong.
#pragma once

#include <type_traits>

#include "simgpu/world/engine_kind.h"
#include "simgpu/world/memory_kind.h"
#include "simgpu/world/process.h"
#include "simgpu/world/sync/journal.h"

namespace simgpu::world {

inline constexpr uint64_t kMagic = 0x3157'5550'474d'4953;  // "SIMGPUW1"
inline constexpr uint64_t kLayoutVersion = 1;
inline constexpr uint64_t kMaxScenarioBytes = 128 * 1024;

struct Header {
  uint64_t magic;
  uint64_t layout_version;
  uint64_t file_bytes;
  uint64_t struct_sizes;  // a digest of this header's structs: another compiler's layout is refused
  uint64_t world_id;
  uint64_t created_ns;
  uint64_t boot_id;  // CLOCK_MONOTONIC starts anew with each boot, and so does the world
  uint64_t scenario_bytes;
  Word slots_used;    // no slot at or beyond this was ever taken; only grows
  uint64_t checksum;  // of the constant fields and the scenario's text
  char scenario[kMaxScenarioBytes];
};

// kFree -> kLive (its participant) -> kDead -> kDraining -> kFree (whoever reaps it), all under
// `life`.
enum SlotState : uint64_t {
  kFree,
  kLive,
  kDead,      // what it held is still on the accounts
  kDraining,  // off the accounts; the pages of its extents are being given back
};

struct alignas(64) ProcessSlot {
  // Held by the participant's keeper thread for as long as the process lives; the kernel reports
  // its death here.
  RobustLock life;
  Word state;
  Word keeper;  // thread id of the keeper: life.HolderThread() equals it while the process lives
  Word generation;
  Word pid;
  Word pid_namespace;
  Word start_time;
  Word uid;
  char name[160];
};

// Memory. Account kOrphans holds extents whose maker is dead while others still hold them.
inline constexpr uint32_t kOrphans = kMaxProcesses;

struct alignas(64) Account {
  Word by_kind[kChargedKinds];
};

enum ExtentState : uint64_t {
  kAbsent,
  kHeld,    // at least one holder
  kParked,  // no holder, but an exported file descriptor may be open somewhere
  kDying,   // off the accounts; `worker` is giving its pages back
};

// Belongs to the block of the same index, the extent's first.
struct alignas(64) ExtentRecord {
  Word state;
  Word generation;  // of the block; grows when an extent ends
  Word blocks;
  Word bytes;    // charged
  Word account;  // slot of the maker, or kOrphans
  Word kind;
  Word exported;  // 1: a file descriptor was made of it
  Word worker;    // kDying: slot of the process at work
  Word holders[kMaxProcesses / 64];
};
static_assert(sizeof(ExtentRecord) == 128);

struct MemoryState {
  Guarded guard;     // accounts, extents, block map and the words below
  Word used;         // sum of all accounts; read without the lock
  Word blocks_used;  // no block at or beyond this was ever taken
  Word parked;       // extents in kParked
  Word first_free_hint;
};

// Engines.
struct Run {  // intervals without a gap between them
  Word start_ns;
  Word end_ns;
};

// Engine time in equal stretches of the recent past: stretch number << 26 | nanoseconds.
// Statistics: plain stores.
struct BusyHistory {
  static constexpr uint64_t kStretchNs = 50'000'000;
  static constexpr uint64_t kStretches = 32;
  Word stretches[kStretches];
};
static_assert(BusyHistory::kStretchNs < uint64_t{1} << 26);

enum RequestState : uint64_t {
  kNone,
  kWaiting,
  kGranted,  // an interval is there to be collected
};

// One process at one engine.
struct alignas(64) Seat {
  static constexpr uint64_t kRuns = 16;
  std::atomic<uint32_t>
      wake;  // futex: posted when the request may have been answered, or its chances changed
  Word request;
  Word duration_ns;
  Word ready_ns;
  Word more_follows;
  Word more_until_ns;  // it announced more work: its place in turn is kept until then
  Word granted_start_ns;
  Word granted_end_ns;
  Word busy_ns;     // of all runs that have left `runs`
  Word newest;      // index of the latest run
  Run runs[kRuns];  // may lie in the future
  BusyHistory history;
};

struct alignas(64) EngineState {
  Guarded guard;  // the seats and the words below
  Word owner;     // slot + 1 of whose turn it is; 0: nobody's
  Word free_ns;   // end of the last interval
  Word turn_start_ns;
  Word turn_end_ns;
  Word retired_ns;      // engine time of processes that were reaped
  Word seats_used;      // no seat at or beyond this was ever used
  BusyHistory history;  // of all processes
};

// Events.
struct EventRecord {
  Word card;
  Word xid;
  Word at_ns;
};

struct EventQueue {
  static constexpr uint64_t kCapacity = 256;
  Guarded guard;
  std::atomic<uint32_t> posted;  // futex
  Word count;                    // ever put in; number n lies at (n - 1) % kCapacity
  Word scheduled_done;           // scheduled events put in so far, in the order of their times
  EventRecord events[kCapacity];
};

static_assert(std::is_standard_layout_v<Header> && std::is_standard_layout_v<ProcessSlot> &&
              std::is_standard_layout_v<MemoryState> && std::is_standard_layout_v<EngineState> &&
              std::is_standard_layout_v<Seat> && std::is_standard_layout_v<EventQueue>);

}  // namespace simgpu::world
