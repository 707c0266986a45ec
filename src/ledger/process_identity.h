// Which process holds a slot, and whether it is still there: the decisions, without the system
// calls. The interposer and the command line ask the system each in their own way and decide by the
// same rule.
//
// A pid alone names nobody: it is used again, and it means another process in another pid
// namespace. So a slot's owner is a pid, that process's start time and its pid namespace, and
// beside that a file lock that the kernel drops when the owner is gone. The rule:
//
//   1. The observer is in the owner's pid namespace and can look the pid up: dead if there is no
//   such process, if its
//      start time differs (the pid was used again), or if it has ended and only waits to be
//      collected. Alive otherwise, even without its lock: programs close descriptors that they do
//      not know (closefrom).
//   2. Else (another namespace, no /proc, a hidden process): dead if nobody holds the lock. A fork
//   child that has not
//      yet closed its copy of the descriptor keeps the lock; the bytes then come back when it does,
//      or ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpshare::ledger {

// What /proc/PID/stat says of a process.
struct ProcessStat {
  uint32_t pid;
  char state;           // a letter as in ps: R, S, D, Z, X, ...
  uint64_t threads;     // field 20
  uint64_t start_time;  // field 22, clock ticks after boot
};

// Reads the text of /proc/PID/stat; false if it is not that. The command in the second field may
// hold anything, brackets and blanks too.
bool ParseProcessStat(const char* text, size_t length, ProcessStat& result);

// Ended and not yet collected by its parent. A process whose first thread has ended while others
// run shows Z too.
constexpr bool HasEnded(const ProcessStat& stat) {
  return (stat.state == 'Z' || stat.state == 'X' || stat.state == 'x') && stat.threads <= 1;
}

// What looking up a slot owner's pid gave.
enum class Lookup : uint8_t {
  kCannotTell,  // not the same pid namespace, or it was not to be read
  kNoProcess,   // nobody has that pid
  kThere,       // somebody has it: compare
};

// `stat` counts only for kThere; `start_time` is the owner's as the slot has it; `lock_held` is
// asked for only when it matters: bool(). Returns whether the slot's owner is gone.
template <typename LockHeld>
constexpr bool IsOwnerDead(Lookup lookup, const ProcessStat& stat, uint64_t start_time,
                           LockHeld lock_held) {
  switch (lookup) {
    case Lookup::kNoProcess:
      return true;
    case Lookup::kThere:
      return stat.start_time != start_time || HasEnded(stat);
    case Lookup::kCannotTell:
      break;
  }
  return !lock_held();
}

}  // namespace warpshare::ledger
