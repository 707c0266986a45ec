// Whatever stands in a tenant's folder after a crash: a claim that is read has devices and is
// written back as it was; of a card's note what is read can be shown to people.
#include <cstdint>
#include <cstdlib>

#include "node/tenancy/card_note.h"
#include "node/tenancy/container_claim.h"
#include "types/printable.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto claim = warpshare::node::ParseClaim(text)) {
    if (claim->device_ids.empty()) std::abort();
    const auto again = warpshare::node::ParseClaim(warpshare::node::ClaimText(*claim));
    if (!again || *again != *claim) std::abort();
  }
  for (const auto& card : warpshare::node::ParseCardNote(text))
    if (card.name != warpshare::Printable(card.name)) std::abort();
  return 0;
}
