#include "cluster/service/quota_gate.h"

#include "cluster/quota/held_amount.h"

namespace warpshare::cluster {

Result<void> QuotaGate::Reserve(const Entry& entry) {
  return book_.Reserve(entry.space, entry.uid, quota::AmountOf(entry.hold, entry.ledger));
}

void QuotaGate::Count(const Entry& entry) {
  if (entry.hold.cards.empty()) return book_.Release(entry.uid);
  book_.Count(entry.space, entry.uid, quota::AmountOf(entry.hold, entry.ledger));
}

}  // namespace warpshare::cluster
