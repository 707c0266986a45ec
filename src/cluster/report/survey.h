// A look at the cluster: nodes and pods as lists of the API server have them, on the same view and
// ledger that the scheduler keeps, and beside it what only people want to know. Filled once, then
// read; no I/O.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cluster/inventory/cluster_view.h"
#include "cluster/quota/quota_book.h"
#include "cluster/report/node_facts.h"
#include "cluster/report/pod_facts.h"

namespace warpshare::report {

class Survey {
 public:
  Survey() : view_(silence_) {}

  // All nodes before the first pod.
  void AddNode(json::View untrusted_node);
  void AddPod(json::View untrusted_pod);
  void SetQuotas(json::View untrusted_config_map);

  const std::vector<NodeFacts>& nodes() const { return nodes_; }
  // Those that ask for cards and have not ended.
  const std::vector<PodFacts>& pods() const { return pods_; }
  size_t pods_seen() const { return pods_seen_; }  // all of them

  const NodeFacts* FindNode(std::string_view name) const;
  const PodFacts* FindPod(std::string_view space, std::string_view name) const;
  std::vector<const PodFacts*> PodsOn(const std::string& node) const;

  // As the scheduler has it.
  const place::Ledger& ledger() const { return view_.ledger(); }
  const place::Outlook& outlook() { return view_.outlook(); }
  // What namespaces have; the limits only if they were set.
  const quota::QuotaBook& quotas() const { return quotas_; }

 private:
  struct Silence final : platform::Log {
    void Line(std::string_view) override {}
  };

  Silence silence_;  // what is wrong with an object stands in its facts
  cluster::ClusterView view_;
  quota::QuotaBook quotas_;
  std::vector<NodeFacts> nodes_;
  std::vector<PodFacts> pods_;
  std::unordered_map<std::string, size_t> node_by_name_;
  std::unordered_map<std::string, std::vector<size_t>> pods_on_;  // by name of the node
  size_t pods_seen_ = 0;
};

}  // namespace warpshare::report
