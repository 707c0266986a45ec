// The namespaces' quotas as books of the view: nothing is reserved beyond them.
#pragma once

#include "cluster/inventory/hold_books.h"
#include "cluster/quota/quota_book.h"

namespace warpshare::cluster {

class QuotaGate final : public HoldBooks {
 public:
  explicit QuotaGate(quota::QuotaBook& book) : book_(book) {}

  Result<void> Reserve(const Entry& entry) override;
  void Count(const Entry& entry) override;
  void Release(const std::string& uid) override { book_.Release(uid); }

 private:
  quota::QuotaBook& book_;
};

}  // namespace warpshare::cluster
