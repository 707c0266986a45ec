// Whatever a pod's fields say: an error with a reason, or a request within its bounds. The input is
// lines of key=value, taken as annotations and as limits of two containers in turn.
#include <cstdint>
#include <cstdlib>

#include "policy/request/warpshare_names.h"

namespace {

using warpshare::request::PodView;

void AddLine(PodView& pod, std::string_view line) {
  const size_t equals = line.find('=');
  if (equals == line.npos) return;
  const std::string key(line.substr(0, equals));
  const std::string value(line.substr(equals + 1));
  pod.annotations[key] = value;
  pod.containers[line.size() % 2].limits[key] = value;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  PodView pod;
  pod.containers.resize(2);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    AddLine(pod, rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  const auto request = warpshare::request::ParseWarpshareNames(pod);
  if (!request) {
    if (request.error().message.empty()) std::abort();
    return 0;
  }
  for (const auto& container : request->containers) {
    if (container.cards > warpshare::request::kMaxCardsPerContainer) std::abort();
    if (container.cores_percent > warpshare::request::kWholeCardCores) std::abort();
  }
  return 0;
}
