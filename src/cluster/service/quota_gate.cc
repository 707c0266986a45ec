#include "cluster/service/quota_gate.h"

namespace warpshare::cluster {

std::optional<Error> QuotaGate::Check(const Entry& entry,
                                      const std::unordered_set<std::string>& gone) const {
  return book_.CheckWithout(gone, entry.space, quota::AmountOf(entry.hold, entry.ledger));
}

Result<void> QuotaGate::Reserve(const Entry& entry) {
  return book_.Reserve(entry.space, entry.uid, quota::AmountOf(entry.hold, entry.ledger));
}

void QuotaGate::Count(const Entry& entry) {
  if (entry.hold.cards.empty()) return book_.Release(entry.uid);
  book_.Count(entry.space, entry.uid, quota::AmountOf(entry.hold, entry.ledger));
}

}  // namespace warpshare::cluster
