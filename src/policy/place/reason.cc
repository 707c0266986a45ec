#include "policy/place/reason.h"

namespace warpshare::place {

namespace {

struct Text {
  std::string_view word;
  std::string_view sentence;
};

// In the order of the enum.
constexpr Text kTexts[] = {
    {"none", "it fits"},
    {"no_node", "the node is not known to warpshare: is warpshare-node running on it?"},
    {"no_cards", "the node has no cards"},
    {"wrong_model", "no card of a model that the pod wants"},
    {"wrong_card", "no card that the pod names, or only such that it avoids"},
    {"card_too_small", "the pod asks for more memory than a card here has"},
    {"unhealthy", "the cards that would do are unhealthy"},
    {"no_slots", "the cards that would do take no more containers"},
    {"not_empty", "the pod wants a card alone, and each has a tenant"},
    {"no_cores", "not enough cores left on a card"},
    {"no_memory", "not enough memory left on a card"},
    {"too_few_cards", "too few cards with enough left for one container"},
    {"no_numa_node", "enough cards, but not on one NUMA node"},
    {"containers", "each container would fit alone, all of them together do not"},
    {"no_host_cpu", "not enough processors left on the node"},
    {"no_host_memory", "not enough memory left on the node"},
    {"quota", "the namespace has as much of the cards as it may have"},
    {"bad_request", "what the pod asks for makes no sense"},
};
static_assert(sizeof(kTexts) / sizeof(kTexts[0]) == kReasonCount);

}  // namespace

std::string_view ReasonWord(Reason reason) { return kTexts[static_cast<size_t>(reason)].word; }

std::string_view ReasonSentence(Reason reason) {
  return kTexts[static_cast<size_t>(reason)].sentence;
}

}  // namespace warpshare::place
