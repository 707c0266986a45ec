#include "interposer/session/visible_devices.h"

#include <initializer_list>

namespace warpshare::interposer {

namespace {

constexpr uint32_t kNoCard = abi::kMaxCards;

constexpr char kCard[] = "GPU-";
constexpr char kMigDevice[] = "MIG-";
constexpr size_t kKindLength = sizeof(kCard) - 1;

struct Entry {
  const char* text;
  size_t length;
};

bool IsBlank(char letter) { return letter == ' ' || letter == '\t'; }

bool IsDigit(char letter) { return letter >= '0' && letter <= '9'; }

char Lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Leaves `list` at the comma or the end.
Entry NextEntry(const char*& list) {
  while (IsBlank(*list)) ++list;
  const char* start = list;
  while (*list != '\0' && *list != ',') ++list;
  auto length = static_cast<size_t>(list - start);
  while (length > 0 && IsBlank(start[length - 1])) --length;
  return {start, length};
}

// What the entry says it is by uuid: kCard, kMigDevice; null: nothing.
const char* KindOf(Entry entry) {
  for (const char* kind : {kCard, kMigDevice}) {
    if (entry.length >= kKindLength && __builtin_memcmp(entry.text, kind, kKindLength) == 0)
      return kind;
  }
  return nullptr;
}

// By the leading digits, as the driver reads it: "1x" is 1.
uint32_t CardByIndex(Entry entry, uint32_t count) {
  size_t at = entry.length > 0 && *entry.text == '+' ? 1 : 0;
  if (at == entry.length || !IsDigit(entry.text[at])) return kNoCard;
  uint32_t index = 0;
  for (; at < entry.length && IsDigit(entry.text[at]) && index < count; ++at) {
    index = index * 10 + static_cast<uint32_t>(entry.text[at] - '0');
  }
  return index < count ? index : kNoCard;
}

bool BeginsWith(const guest::TextBuffer& uuid, Entry beginning) {
  if (beginning.length > uuid.length()) return false;
  for (size_t i = 0; i < beginning.length; ++i) {
    if (Lower(beginning.text[i]) != uuid.text()[i]) return false;
  }
  return true;
}

// The one card that fits; kNoCard when none or several do.
uint32_t CardByUuid(Entry beginning, const abi::LimitsPageV1& limits, uint32_t count) {
  uint32_t found = kNoCard;
  for (uint32_t card = 0; card < count; ++card) {
    guest::Text<guest::kUuidLength + 1> uuid;
    if (!BeginsWith(uuid.AddUuid(limits.cards[card].uuid), beginning)) continue;
    if (found != kNoCard) return kNoCard;
    found = card;
  }
  return found;
}

class Choice {
 public:
  explicit Choice(const abi::LimitsPageV1& limits)
      : limits_(limits),
        granted_(limits.card_count < abi::kMaxCards ? limits.card_count : abi::kMaxCards) {}

  void TakeAll() {
    for (uint32_t card = 0; card < granted_; ++card) Take(kCard, card);
  }

  void TakeThoseOf(const char* list) {
    const char* first = list;
    const bool by_uuid = KindOf(NextEntry(first)) != nullptr;
    while (true) {
      const Entry entry = NextEntry(list);
      const char* kind = by_uuid ? KindOf(entry) : kCard;
      const uint32_t card = kind == nullptr ? kNoCard : Find(entry, by_uuid);
      if (card == kNoCard) return;
      if (Has(card)) {
        count_ = 0;
        return;
      }
      Take(kind, card);
      if (*list == '\0') return;
      ++list;
    }
  }

  void Write(VisibleDevices& visible) const {
    for (uint32_t i = 0; i < count_; ++i) {
      if (i > 0) visible.Add(',');
      visible.Add(kinds_[i]).AddUuid(limits_.cards[cards_[i]].uuid);
    }
  }

 private:
  uint32_t Find(Entry entry, bool by_uuid) const {
    if (!by_uuid) return CardByIndex(entry, granted_);
    return CardByUuid({entry.text + kKindLength, entry.length - kKindLength}, limits_, granted_);
  }

  bool Has(uint32_t card) const {
    for (uint32_t i = 0; i < count_; ++i) {
      if (cards_[i] == card) return true;
    }
    return false;
  }

  // A card is taken once, so there is room.
  void Take(const char* kind, uint32_t card) {
    kinds_[count_] = kind;
    cards_[count_++] = card;
  }

  const abi::LimitsPageV1& limits_;
  uint32_t granted_;
  uint32_t count_ = 0;
  const char* kinds_[abi::kMaxCards];
  uint32_t cards_[abi::kMaxCards];
};

}  // namespace

void ComposeVisibleDevices(const char* wanted, const abi::LimitsPageV1& limits,
                           VisibleDevices& visible) {
  Choice choice(limits);
  if (wanted == nullptr)
    choice.TakeAll();
  else
    choice.TakeThoseOf(wanted);
  choice.Write(visible);
}

}  // namespace warpshare::interposer
