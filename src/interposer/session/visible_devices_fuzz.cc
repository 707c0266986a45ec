// Whatever the variable says, a program is shown granted cards only, each once, and its children
// the same.
#include <cstdlib>
#include <string>
#include <string_view>

#include "interposer/session/visible_devices.h"

namespace {

using warpshare::interposer::ComposeVisibleDevices;
using warpshare::interposer::VisibleDevices;

constexpr uint32_t kGranted = 4;

// Some begin alike, so that beginnings can be ambiguous.
void Grant(warpshare::abi::LimitsPageV1& limits) {
  limits.card_count = kGranted;
  for (uint32_t card = 0; card < kGranted; ++card) {
    limits.cards[card].uuid[0] = static_cast<uint8_t>(0xa0 + card / 2);
    limits.cards[card].uuid[1] = static_cast<uint8_t>(card);
  }
}

bool IsGranted(std::string_view entry) {
  constexpr size_t kKind = 4;
  constexpr std::string_view kBegin[kGranted] = {"a000", "a001", "a102", "a103"};
  if (entry.substr(0, kKind) != "GPU-" && entry.substr(0, kKind) != "MIG-") return false;
  for (const std::string_view begin : kBegin) {
    if (entry.substr(kKind) == std::string(begin) + "0000-0000-0000-0000-000000000000") return true;
  }
  return false;
}

void Check(std::string_view list) {
  std::string_view seen[kGranted];
  for (uint32_t count = 0; !list.empty(); ++count) {
    const std::string_view entry = list.substr(0, list.find(','));
    if (count == kGranted || !IsGranted(entry)) std::abort();
    for (uint32_t i = 0; i < count; ++i)
      if (seen[i] == entry.substr(4)) std::abort();
    seen[count] = entry.substr(4);
    list.remove_prefix(entry.size() < list.size() ? entry.size() + 1 : entry.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpshare::abi::LimitsPageV1 limits{};
  Grant(limits);
  const std::string wanted(reinterpret_cast<const char*>(data), size);
  VisibleDevices visible;
  ComposeVisibleDevices(wanted.c_str(), limits, visible);
  if (visible.was_cut()) std::abort();
  Check(visible.text());
  VisibleDevices inherited;
  ComposeVisibleDevices(visible.text(), limits, inherited);
  if (std::string_view(inherited.text()) != visible.text()) std::abort();
  return 0;
}
