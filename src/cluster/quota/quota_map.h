// The quotas of all namespaces, as one ConfigMap has them: a key for each namespace (and
// "_others"), its value as in quota_text.h.
#pragma once

#include "cluster/quota/quota_book.h"
#include "platform/json/json.h"

namespace warpshare::quota {

Quotas QuotasOf(json::View untrusted_config_map);

}  // namespace warpshare::quota
