// Runs a piece of a test in a process of its own: the library under test keeps its state for as
// long as a process lives.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace warpshare::testing {

// `body` returns whether all was well; the child ends without running the parent's exit handlers.
inline pid_t StartChild(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  return child;
}

// 0 if the child said that all was well.
inline int AwaitChild(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

inline int InChild(const std::function<bool()>& body) { return AwaitChild(StartChild(body)); }

}  // namespace warpshare::testing
