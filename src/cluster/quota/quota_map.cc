#include "cluster/quota/quota_map.h"

#include "cluster/quota/quota_text.h"

namespace warpshare::quota {

namespace {

Result<admit::LimitByModel> Read(const std::string& space, json::View text) {
  const auto string = text.String();
  if (!string) return Fail(Errc::kInvalid, "data." + space + " is no text");
  return ParseQuotaText(*string);
}

}  // namespace

Quotas QuotasOf(json::View config_map) {
  Quotas quotas;
  for (const auto& [space, text] : config_map["data"].members()) {
    const std::string name(space);
    quotas.insert_or_assign(name, Read(name, text));
  }
  return quotas;
}

}  // namespace warpshare::quota
