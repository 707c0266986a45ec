#include "cluster/service/waker.h"

#include "abi/names/annotations.h"
#include "platform/json/writer.h"

namespace warpshare::cluster {

namespace {

// All pods that wait are looked at again each time.
constexpr std::chrono::seconds kPause{1};

}  // namespace

void Waker::Look() {
  const ClusterView::Lost& lost = ports_.view.lost();
  if (ports_.view.counts().waiting == 0) woken_for_ = lost.count;
  const auto now = ports_.clock.Now();
  if (lost.count == woken_for_ || now < next_) return;
  woken_for_ = lost.count;
  next_ = now + kPause;
  json::Writer patch;
  patch.BeginObject().Key("metadata").BeginObject().Key("annotations").BeginObject();
  patch.Member(abi::kAnnotationFreed, std::to_string(now.time_since_epoch().count()));
  patch.EndObject().EndObject().EndObject();
  // Nobody waits for it: the next loss wakes them too.
  ports_.client
      .Patch({.resource = kube::kNodes, .name = {.space = "", .name = lost.node}}, patch.Take(),
             [](const auto&) {})
      .Detach();
}

}  // namespace warpshare::cluster
