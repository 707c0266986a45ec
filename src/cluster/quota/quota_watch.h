// Keeps a QuotaBook's limits as one ConfigMap has them: a key for each namespace (and "_others"),
// its value as in quota_text.h. Without the ConfigMap there are no limits.
//
// A text that cannot be read leaves the namespace the limits it had; one that never could be read
// lets nothing in. On the loop's thread.
#pragma once

#include <string>

#include "cluster/quota/quota_book.h"
#include "platform/kube/informer.h"
#include "platform/log_file/log_file.h"

namespace warpshare::quota {

class QuotaWatch {
 public:
  // All of these outlive it.
  QuotaWatch(kube::Client& client, const kube::ObjectName& config_map, QuotaBook& book,
             platform::Log& log);

  void Start() { informer_.Start(); }
  bool is_synced() const { return informer_.is_synced(); }

 private:
  void Take(json::View config_map);
  // What stands in the book; nullptr: nothing.
  const Result<admit::LimitByModel>* Former(const std::string& space) const;

  QuotaBook& book_;
  platform::Log& log_;
  bool is_there_ = false;
  kube::Informer informer_;
};

}  // namespace warpshare::quota
