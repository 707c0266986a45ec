#include "platform/kube/lease.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>

#include "platform/json/writer.h"

namespace warpshare::kube {
namespace {

// The object has 32 bits for it; more, which only a stranger writes, would not be taken back.
constexpr int64_t kMostTransitions = std::numeric_limits<int32_t>::max();

// As Kubernetes writes a MicroTime.
std::string MicroTime(std::chrono::system_clock::time_point time) {
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = micros / 1'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char day[32], text[64];
  std::strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text, sizeof(text), "%s.%06dZ", day, static_cast<int>(micros % 1'000'000));
  return text;
}

}  // namespace

Result<LeaseRecord> ReadLease(json::View lease) {
  const auto version = lease["metadata"]["resourceVersion"].String();
  if (!version) return Fail(version.error());
  const json::View spec = lease["spec"];
  return LeaseRecord{.holder = std::string(spec["holderIdentity"].StringOr("")),
                     .transitions = std::clamp<int64_t>(spec["leaseTransitions"].IntegerOr(0), 0,
                                                        kMostTransitions),
                     .renewed_at = std::string(spec["renewTime"].StringOr("")),
                     .resource_version = std::string(*version)};
}

std::string LeaseText(const LeaseWords& words) {
  json::Writer text;
  text.BeginObject().Member("apiVersion", "coordination.k8s.io/v1").Member("kind", "Lease");
  text.Key("metadata").BeginObject().Member("namespace", words.space).Member("name", words.name);
  if (!words.resource_version.empty()) text.Member("resourceVersion", words.resource_version);
  text.EndObject().Key("spec").BeginObject().Member("holderIdentity", words.holder);
  // Whole seconds, one at least, are all that the object has room for; among us `duration` counts.
  text.Member("leaseDurationSeconds",
              std::chrono::ceil<std::chrono::seconds>(words.duration + std::chrono::milliseconds(1))
                  .count());
  text.Member("leaseTransitions", words.transitions);
  text.Member("renewTime", MicroTime(words.now)).EndObject().EndObject();
  return text.Take();
}

void LeaseView::Seen(std::optional<LeaseRecord> record, Clock::Time now) {
  const bool same = record && record_ && record->resource_version == record_->resource_version;
  if (!same) changed_at_ = now;
  record_ = std::move(record);
  if (!record_ || record_->holder != identity_) leads_ = false;
}

void LeaseView::Renewed(LeaseRecord record, Clock::Time sent) {
  record_ = std::move(record);
  changed_at_ = sent;
  led_from_ = sent;
  leads_ = record_->holder == identity_;
}

bool LeaseView::MayTake(Clock::Time now) const {
  if (!record_ || record_->holder.empty() || record_->holder == identity_) return true;
  return now - changed_at_ >= times_.duration;
}

bool LeaseView::MayLead(Clock::Time now) const { return leads_ && now < leads_until(); }

int64_t LeaseView::next_transitions() const {
  if (!record_) return 0;
  const int64_t more = record_->holder == identity_ ? 0 : 1;
  return std::min(record_->transitions + more, kMostTransitions);
}

}  // namespace warpshare::kube
