// Whatever a node's annotation says: an error, or cards whose text it is.
#include <cstdint>
#include <cstdlib>

#include "policy/node_cards/node_cards.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto cards = warpshare::node_cards::Decode(text);
  if (cards && warpshare::node_cards::Encode(*cards) != text) std::abort();
  return 0;
}
