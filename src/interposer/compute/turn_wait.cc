#include "interposer/compute/turn_wait.h"

#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

void CountWait(abi::WaitsV1& waits, uint64_t ns) {
  const uint64_t us = ns / 1'000;
  const uint32_t bucket = us == 0 ? 0 : 63 - static_cast<uint32_t>(__builtin_clzll(us));
  const uint32_t last = abi::kWaitBuckets - 1;
  waits.count[bucket < last ? bucket : last].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void CallArbiter(Session& session) {
  std::atomic<uint32_t>& attention = session.usage().attention;
  attention.fetch_add(1, std::memory_order_seq_cst);
  guest::WakeShared(&attention);
}

abi::CardWorkV1& TurnWait::page() const {
  return session_.usage().slots[session_.slot()].work[card_];
}

void TurnWait::Announce(uint64_t now_ns) {
  if (since_ns_ != 0) return;
  since_ns_ = now_ns;
  if (waiters_.fetch_add(1) == 0) page().waits_since_ns.store(now_ns);
  CallArbiter(session_);
}

void TurnWait::AnnounceAgain() {
  page().waits_since_ns.store(guest::Now());
  CallArbiter(session_);
}

TurnWait::~TurnWait() {
  if (since_ns_ == 0) return;
  const uint64_t now_ns = guest::Now();
  if (waiters_.fetch_sub(1) == 1) {
    page().waits_since_ns.store(0);
    if (waiters_.load() != 0) page().waits_since_ns.store(now_ns);  // one came between the two
  }
  const uint64_t waited_ns = now_ns - since_ns_;
  page().waited_ns.fetch_add(waited_ns, std::memory_order_relaxed);
  CountWait(session_.usage().waits[card_], waited_ns);
}

}  // namespace warpshare::interposer
