#include "bench/packing/arrivals.h"

#include "bench/packing/replay.h"

namespace warpshare::bench {

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Names of the trace have nothing in them that JSON would quote.
void PrintNode(std::FILE* out, const place::NodeSpec& node) {
  std::fprintf(out,
               "{\"node\":\"%s\",\"cpu_milli\":%lu,\"memory_mib\":%lu,\"cards\":%zu,"
               "\"model\":\"%s\"}\n",
               node.name.c_str(), node.cpu_milli, node.memory.count() / kMiB, node.cards.size(),
               node.cards.empty() ? "" : node.cards.front().model.c_str());
}

void PrintPod(std::FILE* out, const TracePod& pod) {
  const uint32_t cards = pod.request.containers.front().cards;
  std::string models;
  for (const std::string& model : pod.request.wishes.use_models)
    models += (models.empty() ? "" : ",") + model;
  std::fprintf(out,
               "{\"cpu_milli\":%lu,\"memory_mib\":%lu,\"cards\":%u,\"milli\":%lu,"
               "\"models\":\"%s\"}\n",
               pod.request.host.cpu_milli, pod.request.host.memory.count() / kMiB, cards,
               cards == 0 ? 0 : pod.milli / cards, models.c_str());
}

}  // namespace

void PrintArrivals(std::FILE* out, const std::vector<place::NodeSpec>& nodes, const PodList& list,
                   uint64_t seed) {
  for (const place::NodeSpec& node : nodes) PrintNode(out, node);
  for (const size_t place : Arrivals(list, Capacity(nodes), seed)) PrintPod(out, list.pods[place]);
}

}  // namespace warpshare::bench
