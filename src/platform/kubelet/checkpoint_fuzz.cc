// Whatever stands in the kubelet's checkpoint, what comes out are entries that name somebody, or an
// error.
#include <cstdlib>

#include "platform/kubelet/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto entries = warpshare::platform::ParseCheckpoint(text, "warpshare.io/gpu");
  if (!entries) return 0;
  for (const auto& entry : *entries)
    if (entry.pod_uid.empty() || entry.container.empty()) std::abort();
  return 0;
}
