// Whatever stands in the ConfigMap: limits within their bounds, or an error that says something.
#include <cstdint>
#include <cstdlib>

#include "cluster/quota/quota_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warpshare::quota::kMostModels;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto limits = warpshare::quota::ParseQuotaText(text);
  if (!limits && limits.error().message.empty()) std::abort();
  if (limits && limits->size() > kMostModels + 1) std::abort();
  return 0;
}
