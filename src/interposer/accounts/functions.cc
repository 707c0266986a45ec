#include "interposer/accounts/functions.h"

namespace warpshare::interposer {

namespace {

void Ignore(uint64_t, const Live&) {}

Functions::Kind KindOf(const Live& live) { return static_cast<Functions::Kind>(live.kind); }

}  // namespace

// Without memory it is met anew each time.
void Functions::Enter(uint64_t handle, Kind kind, uint64_t code) {
  Live replaced;
  (void)entries_.Add(
      handle,
      {.bytes = 0, .card = abi::kMaxCards, .kind = static_cast<uint8_t>(kind), .owner = code},
      replaced);
}

Functions::Kind Functions::Find(uint64_t handle, uint64_t& code) {
  Live live;
  if (!entries_.Find(handle, live)) return Kind::kNone;
  code = live.owner;
  return KindOf(live);
}

bool Functions::IsMet(uint64_t use) {
  Live live;
  if (seen_.Has(use)) return true;
  if (!entries_.Find(use, live)) return false;
  seen_.Add(use);
  return true;
}

void Functions::Meet(uint64_t use, uint64_t code) {
  Enter(use, Kind::kUse, code);
  seen_.Add(use);
}

void Functions::Forget(uint64_t use) {
  Live live;
  (void)entries_.Take(use, live);
  seen_.Drop(use);
}

void Functions::ForgetOf(uint64_t code) {
  entries_.TakeIf([code](uint64_t, const Live& live) { return live.owner == code; }, Ignore);
  seen_.Clear();
}

void Functions::ForgetAllButKernels() {
  entries_.TakeIf([](uint64_t, const Live& live) { return KindOf(live) != Kind::kKernel; }, Ignore);
  seen_.Clear();
}

}  // namespace warpshare::interposer
