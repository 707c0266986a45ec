// Whatever comes as the body of a verb: the answer is JSON, and only Prioritize holds anything.
#include <cstdint>
#include <cstdlib>

#include "cluster/extender/preempt.h"
#include "cluster/extender/verbs.h"
#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "pods/pod_json.h"

using namespace warpshare;  // NOLINT(google-build-using-namespace): one short program

namespace {

void ExpectJson(const std::string& text) {
  if (!json::Document::Parse(text)) std::abort();
}

struct SmallView {
  SmallView() {
    view.SetNode(cluster::NodeViewOf(
        json::Document::Parse(cluster::NodeObject(1, cluster::CardsText(1, 2)))->root()));
    const std::string pod = cluster::PodObject(
        {.uid = "u", .node = "n1", .assignment = cluster::AssignmentText(1, 0), .priority = 5});
    view.SetPod(pods::PodViewOf(json::Document::Parse(pod)->root()), false);
  }
  cluster::KeptLog log;
  cluster::ClusterView view{log};
  cluster::NodeLookup lookup;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto document =
      json::Document::Parse({reinterpret_cast<const char*>(data), size}, {.bytes = 1 << 20});
  if (!document) return 0;
  SmallView small;
  if (const auto asked = cluster::ReadNodesArgs(document->root())) {
    ExpectJson(cluster::AnswerFilter(small.view, small.lookup, *asked, 1).text);
    if (small.view.counts().reserved != 0) std::abort();
    ExpectJson(cluster::AnswerPrioritize(small.view, small.lookup, *asked, 1));
  }
  if (const auto asked = cluster::ReadPreemptArgs(document->root()))
    ExpectJson(cluster::AnswerPreempt(
        small.view, *asked, std::string(asked->pod["status"]["nominatedNodeName"].StringOr(""))));
  if (small.view.ledger().FindHold("u") == nullptr) std::abort();
  return 0;
}
