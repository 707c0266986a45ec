#include "interposer/accounts/pending_frees.h"

#include "interposer/accounts/charged.h"

namespace warpshare::interposer {

uint64_t PendingFrees::Add(const Live& live) {
  const uint64_t name = last_name_.fetch_add(1, std::memory_order_relaxed) + 1;
  Live replaced;
  return pending_.Add(name, live, replaced) == LiveTable::Added::kNoMemory ? 0 : name;
}

void PendingFrees::End(uint64_t name) {
  Live live;
  if (name != 0 && pending_.Take(name, live)) GiveBack(live);
}

void PendingFrees::GiveBack(const Live& live) { Bury(live); }

}  // namespace warpshare::interposer
