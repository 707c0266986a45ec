// Whatever the API server shows, in whatever order: the view takes it, and when all pods are gone,
// and the nodes say so, nothing is held.
#include <cstdint>
#include <cstdlib>

#include "cluster/inventory/cluster_view.h"
#include "cluster/inventory/testing/kept_log.h"
#include "pods/pod_json.h"

namespace {

using warpshare::cluster::ClusterView;

void ExpectNothingHeld(const ClusterView& view) {
  const auto& ledger = view.ledger();
  for (warpshare::place::NodeId node = 0; node < ledger.node_ids(); ++node)
    for (const auto& card : ledger.cards_of(node))
      if (card.tenants != 0 || card.memory_free != static_cast<int64_t>(card.memory_total))
        std::abort();
  if (ledger.pod_count() != 0 || view.counts().bad_pods != 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = warpshare::json::Document::Parse(text);
  if (!document) return 0;
  warpshare::cluster::KeptLog log;
  ClusterView view(log);
  for (const auto item : document->root().items()) {
    const auto node = warpshare::cluster::NodeViewOf(item);
    if (!node.name.empty() && !node.untrusted_cards.empty()) view.SetNode(node);
    view.SetPod(warpshare::pods::PodViewOf(item), warpshare::pods::HasEnded(item));
  }
  for (const auto item : document->root().items()) {
    const auto pod = warpshare::pods::PodViewOf(item);
    view.RemovePod(pod.namespace_name, pod.name);
    auto node = warpshare::cluster::NodeViewOf(item);
    node.untrusted_lingering.clear();
    node.untrusted_taken.clear();
    if (!node.name.empty() && !node.untrusted_cards.empty()) view.SetNode(node);
  }
  view.Expire(0);
  view.Expire(UINT64_MAX);
  ExpectNothingHeld(view);
  return 0;
}
