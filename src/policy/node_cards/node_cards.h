// A node's cards as text: the annotation that warpshare-node writes on its Node object and the
// scheduler reads.
//
//   v1;GPU-<uuid>:40GiB:16:ok:0:1:NVIDIA A100-SXM4-40GB;GPU-<uuid>:16GiB:16:bad:-:0:Tesla T4
//
// A card is uuid:memory:slots:health:numa:link:model, where health is ok or bad, and numa is "-"
// where it is not known. As with an assignment, a list of cards has one text, and the decoder takes
// no other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/place/node_spec.h"
#include "result/result.h"

namespace warpshare::node_cards {

// Of kMaxCards cards with the longest of models.
inline constexpr size_t kMaxTextBytes = 16 * 1024;
inline constexpr size_t kMaxCards = 64;
inline constexpr size_t kMaxModelBytes = 96;  // NVML's own limit

// What does not fit the text is cut: cards after kMaxCards, bytes of a model that are not printable
// or a semicolon.
std::string Encode(const std::vector<place::CardSpec>& cards);

Result<std::vector<place::CardSpec>> Decode(std::string_view untrusted_text);

}  // namespace warpshare::node_cards
