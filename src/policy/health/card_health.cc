#include "policy/health/card_health.h"

#include <algorithm>
#include <iterator>

namespace warpshare::health {

namespace {

// Graphics engine exception, MMU fault, reset channel, stopped processing, preemptive removal,
// video processor exception, contained error (the program is ended), context switch timeout; and
// what only informs: page retirement and row remapping recorded.
constexpr uint64_t kProgramXids[] = {13, 31, 43, 45, 63, 68, 94, 109};

// Double bit error, page retirement or row remapping failed, micro-controller halt, fallen off the
// bus, uncontained error, GSP timeout and error, C2C and SoC errors, unrecovered ECC.
constexpr uint64_t kResetXids[] = {48, 61, 62, 64, 79, 95, 119, 120, 121, 123, 140, 143};

bool Has(const auto& xids, uint64_t xid) {
  return std::find(std::begin(xids), std::end(xids), xid) != std::end(xids);
}

}  // namespace

XidClass ClassOfXid(uint64_t xid) {
  if (Has(kProgramXids, xid)) return XidClass::kProgram;
  return Has(kResetXids, xid) ? XidClass::kTillReset : XidClass::kPassing;
}

std::string CardHealth::TextOf(uint64_t xid) const {
  return "XID " + std::to_string(xid) + (awaits_reset_ ? ": to be reset" : "");
}

void CardHealth::Fault(uint64_t xid, uint64_t now_ns) {
  const XidClass kind = ClassOfXid(xid);
  if (kind == XidClass::kProgram) return;
  if (kind == XidClass::kTillReset) awaits_reset_ = xid;
  reason_ = TextOf(xid);
  bad_since_ns_ = now_ns;
}

void CardHealth::WasReset(uint64_t now_ns) {
  if (!awaits_reset_) return;
  awaits_reset_.reset();
  reason_ = "it was reset";
  bad_since_ns_ = now_ns;
}

// Who hangs was not reset: what awaits that goes on to.
void CardHealth::Hung(uint64_t now_ns) {
  reason_ = "it does not answer: the driver hangs";
  bad_since_ns_ = now_ns;
}

void CardHealth::Answered(bool does, uint64_t now_ns) {
  if (!does) {
    awaits_reset_.reset();  // what comes back was reset, or its driver was loaded again
    reason_ = "it does not answer";
    bad_since_ns_ = now_ns;
    return;
  }
  if (awaits_reset_) reason_ = TextOf(*awaits_reset_);  // it may have hung meanwhile
  if (awaits_reset_ || is_healthy()) return;
  if (now_ns - bad_since_ns_ >= kQuietNs) reason_.clear();
}

}  // namespace warpshare::health
