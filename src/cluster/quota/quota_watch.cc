#include "cluster/quota/quota_watch.h"

#include <utility>

#include "cluster/quota/quota_map.h"
#include "platform/log_file/log_words.h"

namespace warpshare::quota {

QuotaWatch::QuotaWatch(kube::Client& client, const kube::ObjectName& config_map, QuotaBook& book,
                       platform::Log& log)
    : book_(book),
      log_(log),
      informer_(client,
                {.resource = kube::kConfigMaps,
                 .space = config_map.space,
                 .selector = {.labels = "", .fields = "metadata.name=" + config_map.name}},
                {.set = [this](const auto&, json::View object) { Take(object); },
                 .removed =
                     [this](const auto&) {
                       is_there_ = false;
                       book_.SetQuotas({});
                     },
                 .synced =
                     [this] {
                       if (!is_there_) book_.SetQuotas({});
                     },
                 .trouble =
                     [this](const Error& error) {
                       log_.Line(platform::LogText("quotas-unwatched", {{"error", error}}));
                     }}) {}

void QuotaWatch::Take(json::View config_map) {
  is_there_ = true;
  Quotas quotas = QuotasOf(config_map);
  for (auto& [name, limits] : quotas) {
    if (limits) continue;
    log_.Line(
        platform::LogText("quota-unreadable", {{"namespace", name}, {"error", limits.error()}}));
    if (const auto* former = Former(name)) limits = *former;
  }
  book_.SetQuotas(std::move(quotas));
}

const Result<admit::LimitByModel>* QuotaWatch::Former(const std::string& space) const {
  if (!book_.quotas()) return nullptr;
  const auto former = book_.quotas()->find(space);
  return former == book_.quotas()->end() ? nullptr : &former->second;
}

}  // namespace warpshare::quota
