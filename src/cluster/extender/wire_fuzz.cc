// Whatever comes as a body: each reader takes it or says what is wrong, and what it took can be
// answered.
#include <cstdint>
#include <cstdlib>

#include "cluster/extender/wire.h"

using namespace warpshare;  // NOLINT(google-build-using-namespace): one short program

namespace {

void ExpectJson(const std::string& text) {
  if (!json::Document::Parse(text)) std::abort();
}

void TryNodes(json::View body) {
  const auto args = cluster::ReadNodesArgs(body);
  if (!args) return;
  cluster::FilterResult result;
  std::vector<cluster::HostScore> scores;
  for (uint32_t i = 0; i < args->names.size(); ++i) {
    if (i % 2 == 0) result.passed.push_back(i);
    if (i % 2 == 1) result.failed.emplace_back(args->names[i], "no_memory");
    scores.push_back({args->names[i], i});
  }
  ExpectJson(cluster::FilterText(*args, result));
  ExpectJson(cluster::ScoresText(scores));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto document =
      json::Document::Parse({reinterpret_cast<const char*>(data), size}, {.bytes = 1 << 20});
  if (!document) return 0;
  TryNodes(document->root());
  if (const auto args = cluster::ReadBindArgs(document->root()); args && args->pod_uid.empty())
    std::abort();
  if (const auto args = cluster::ReadPreemptArgs(document->root()))
    ExpectJson(cluster::PreemptText(args->nodes));
  return 0;
}
