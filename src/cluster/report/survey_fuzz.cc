// Whatever the API server shows to `warpshare inspect` and `explain`: all that can be said of it is
// said. A list of objects: nodes, pods and the quotas' ConfigMap in any order, by what they say
// they are.
#include <cstdint>
#include <cstdlib>

#include "cluster/report/explanation.h"
#include "cluster/report/stock.h"

namespace {

using namespace warpshare;

void Explain(report::Survey& survey, json::View pod) {
  const report::PodStory story = report::PodStoryOf(pod);
  (void)report::ExplainWaiting(survey, story);
  (void)report::ExplainPlaced(survey, story);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto document = json::Document::Parse({reinterpret_cast<const char*>(data), size});
  if (!document) return 0;
  const auto objects = document->root()["items"].items();
  report::Survey survey;
  for (const json::View object : objects)
    if (object["kind"].StringOr("") == "Node") survey.AddNode(object);
  for (const json::View object : objects) {
    if (object["kind"].StringOr("") == "Pod") survey.AddPod(object);
    if (object["kind"].StringOr("") == "ConfigMap") survey.SetQuotas(object);
  }
  const report::Stock stock = report::TakeStock(survey);
  if (stock.nodes.size() + stock.nodes_without_cards > survey.nodes().size()) std::abort();
  for (const json::View object : objects)
    if (object["kind"].StringOr("") == "Pod") Explain(survey, object);
  return 0;
}
