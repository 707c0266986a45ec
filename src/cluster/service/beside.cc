#include "cluster/service/beside.h"

#include <utility>

#include "platform/kube/lease.h"

namespace warpshare::cluster {

namespace {

// Two reads of one object a second are nothing to an API server.
constexpr std::chrono::milliseconds kLookTime{500};
// Less than it takes kube-scheduler to lose its Lease and another's first pods to be running.
constexpr std::chrono::milliseconds kAwakeTime{3'000};

}  // namespace

Beside::Beside(Ports ports, BesideOptions options)
    : ports_(std::move(ports)), options_(std::move(options)), next_look_(ports_.client.loop()) {}

void Beside::Start() { Look(); }

bool Beside::IsAwake() const { return seen_ && ports_.clock.Now() - *seen_ < kAwakeTime; }

void Beside::Look() {
  // What is not answered by then is asked again on another connection.
  next_look_.Set(kAwakeTime / 2, [this] { Look(); });
  call_ = ports_.client.Get(kube::kLeases, options_.lease,
                            [this, sent = ports_.clock.Now()](const Result<json::Document>& lease) {
                              Looked(sent, lease);
                              next_look_.Set(kLookTime, [this] { Look(); });
                            });
}

void Beside::Looked(platform::Clock::Time sent, const Result<json::Document>& lease) {
  if (!lease && lease.error().code != Errc::kNotFound) return ports_.trouble(lease.error());
  seen_ = sent;
  // Not there before the first kube-scheduler has made it.
  const auto record = lease ? kube::ReadLease(lease->root()) : kube::LeaseRecord{};
  is_ours_ = record && record->holder.starts_with(options_.host + '_');
}

}  // namespace warpshare::cluster
