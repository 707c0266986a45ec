// The namespaces' quotas as books of the view: nothing is reserved beyond them.
#pragma once

#include "cluster/inventory/hold_books.h"
#include "cluster/quota/held_amount.h"
#include "cluster/quota/quota_book.h"

namespace warpshare::cluster {

class QuotaGate final : public HoldBooks {
 public:
  explicit QuotaGate(quota::QuotaBook& book) : book_(book) {}

  bool Limits(const std::string& space) const override { return book_.Limits(space); }
  std::optional<Error> Check(const Entry& entry,
                             const std::unordered_set<std::string>& gone) const override;
  Result<void> Reserve(const Entry& entry) override;
  void Count(const Entry& entry) override;
  void CountAgain(const std::string& uid, const place::PodHold& hold,
                  const place::Ledger& ledger) override {
    book_.CountAgain(uid, quota::AmountOf(hold, ledger));
  }
  void Release(const std::string& uid) override { book_.Release(uid); }

 private:
  quota::QuotaBook& book_;
};

}  // namespace warpshare::cluster
