#include "interposer/session/inheritance.h"

#include <atomic>

#include "interposer/guest/fork_wiped.h"

namespace warpshare::interposer {

namespace {

// Not wiped on fork: this is what the child reads. In the process that opened them nobody calls
// ReleaseInherited, as a session opens once.
constinit TenantPages g_pages{};
constinit std::atomic<bool> g_watches_fork = false;

}  // namespace

void LeaveToForkChild(const TenantPages& pages) {
  g_pages = pages;
  if (!g_watches_fork.exchange(true)) guest::RunInForkChild(ReleaseInherited);
}

void ReleaseInherited() { CloseTenantPages(g_pages); }

}  // namespace warpshare::interposer
