#include "cluster/service/waker.h"

#include "abi/names/annotations.h"
#include "platform/json/writer.h"

namespace warpshare::cluster {

namespace {

// All pods that wait are looked at again each time.
constexpr std::chrono::seconds kPause{1};

}  // namespace

void Waker::Look() {
  const Happened happened = Now();
  if (ports_.view.counts().waiting == 0) woken_for_ = happened;
  const auto now = ports_.clock.Now();
  if (happened == woken_for_ || now < next_ || is_touching_) return;
  const std::string node = NodeToTouch();
  if (node.empty()) return;
  woken_for_ = happened;
  next_ = now + kPause;
  Touch(node);
}

Waker::Happened Waker::Now() const {
  return {.freed = ports_.view.freed().count,
          .quotas = ports_.quotas == nullptr ? 0 : ports_.quotas->changes(),
          .unseen = ports_.unseen()};
}

std::string Waker::NodeToTouch() const {
  const place::Ledger& ledger = ports_.view.ledger();
  if (ledger.FindNode(ports_.view.freed().node)) return ports_.view.freed().node;
  for (place::NodeId id = 0; id < ledger.node_ids(); ++id)
    if (ledger.node(id).present) return ledger.node_name(id);
  return "";
}

void Waker::Touch(const std::string& node) {
  json::Writer patch;
  patch.BeginObject().Key("metadata").BeginObject().Key("annotations").BeginObject();
  patch.Member(abi::kAnnotationFreed,
               std::to_string(ports_.clock.Now().time_since_epoch().count()));
  patch.EndObject().EndObject().EndObject();
  is_touching_ = true;
  call_ = ports_.client.Patch({.resource = kube::kNodes, .name = {.space = "", .name = node}},
                              patch.Take(), [this](const auto& touched) {
                                is_touching_ = false;
                                if (!touched) woken_for_ = {};  // again, after the pause
                              });
}

}  // namespace warpshare::cluster
