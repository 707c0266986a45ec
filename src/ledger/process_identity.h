// Which process holds a slot, and whether it is still there: the decisions, without the system
// calls. The interposer and the command line ask the system each in their own way and decide by the
// same rule.
//
// A pid alone names nobody: it is used again, it means another process in another pid namespace,
// and exec puts another program in its place. So a slot's owner is a pid, its pid namespace, the
// process's start time and a mark of the program it runs; beside that it holds a file lock that the
// kernel drops when the owner is gone. The rule:
//
//   1. The observer is in the owner's pid namespace and can look the pid up. Dead if there is no
//      such process, if its start time differs (the pid was used again), if it runs another program
//      (exec: what the first one held went with its memory), or if it has ended and only waits to
//      be collected. Alive otherwise, even without its lock: programs close descriptors that they
//      do not know (closefrom).
//   2. Else (another namespace, no /proc, a hidden process, a time namespace, whose clock tells
//      other start times): dead if nobody holds the lock. A fork child that has not yet closed its
//      copy of the descriptor keeps the lock; the bytes then come back when it does, or ends.
//
// Where stacks are not placed at random (a debugger, setarch -R), or the mark is hidden, 1 cannot
// tell a program from the one that exec put in its place. The new one can, when it opens its own
// slot: one of its pid, start time and namespace that it did not take, and whose lock is free, is
// the former one's.
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
  uint32_t exec_mark;   // of field 28, where the program's stack begins; 0 = hidden from us
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

// The owner as its slot has it.
struct Incarnation {
  uint64_t start_time;
  uint32_t exec_mark;  // 0: not known, then any program of the process is the owner
};

constexpr bool RunsAnotherProgram(const ProcessStat& stat, const Incarnation& owner) {
  return stat.exec_mark != 0 && owner.exec_mark != 0 && stat.exec_mark != owner.exec_mark;
}

// Whether the slot's owner is gone. `stat` counts only for kThere; `lock_held`, a bool(), is asked
// only when it matters.
template <typename LockHeld>
constexpr bool IsOwnerDead(Lookup lookup, const ProcessStat& stat, const Incarnation& owner,
                           LockHeld lock_held) {
  switch (lookup) {
    case Lookup::kNoProcess:
      return true;
    case Lookup::kThere:
      return stat.start_time != owner.start_time || RunsAnotherProgram(stat, owner) ||
             HasEnded(stat);
    case Lookup::kCannotTell:
      break;
  }
  return !lock_held();
}

}  // namespace warpshare::ledger
