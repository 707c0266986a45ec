// The lines are the same however the stream is cut. The first byte says where.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "platform/kube/watch_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t cut = data[0] < text.size() ? data[0] : text.size();
  std::vector<std::string> whole, pieces;
  warpshare::kube::WatchLines once(1 << 20), twice(1 << 20);
  once.Feed(text, [&](std::string_view line) { return whole.emplace_back(line), true; });
  const auto keep = [&](std::string_view line) { return pieces.emplace_back(line), true; };
  twice.Feed(text.substr(0, cut), keep);
  twice.Feed(text.substr(cut), keep);
  if (whole != pieces) std::abort();
  return 0;
}
