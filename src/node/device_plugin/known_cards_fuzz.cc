// Whatever stands in the file of known cards after a crash: what is read can be shown to people,
// and is written back as it was.
#include <cstdint>
#include <cstdlib>

#include "node/device_plugin/known_cards.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warpshare::node::KnownCardsText;
  using warpshare::node::ParseKnownCards;
  const auto cards = ParseKnownCards({reinterpret_cast<const char*>(data), size});
  const std::string text = KnownCardsText(cards);
  const auto again = ParseKnownCards(text);
  if (again.size() != cards.size() || KnownCardsText(again) != text) std::abort();
  return 0;
}
