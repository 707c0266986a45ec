// The scheduler's metrics, as one scrape finds them. Made anew each time: what is gone is not there
// any more. On the loop of what it reads.
#pragma once

#include "cluster/extender/foresight.h"
#include "cluster/extender/verb_stats.h"
#include "cluster/inventory/cluster_view.h"
#include "cluster/quota/quota_book.h"
#include "platform/metrics/metric_page.h"

namespace warpshare::cluster {

struct SchedulerReading {
  const ClusterView& view;
  const VerbStats& verbs;
  bool leads = false;
  bool serves = false;
  size_t binding = 0;    // calls to the API server under way
  uint64_t expired = 0;  // reservations that came to nothing
  NominationCounts nominations = {};
  int64_t now_s = 0;  // since 1970
};

void AddVerbs(const SchedulerReading& reading, platform::MetricPage& page);
void AddQueue(const SchedulerReading& reading, platform::MetricPage& page);
void AddLedger(const ClusterView& view, platform::MetricPage& page);
void AddQuotas(const quota::QuotaBook& quotas, platform::MetricPage& page);

}  // namespace warpshare::cluster
