#include "ledger/snapshot.h"

#include "ledger/words.h"

namespace warpshare::ledger {

namespace {

using abi::CardUsageV1;
using abi::kMaxCards;
using abi::kMaxSlots;
using abi::SlotOwner;
using abi::SlotV1;
using abi::UsagePageV1;

// Reads single fields out of the copy. The layout's own types hold atomics, so the bytes are not
// looked at through them.
class Copy {
 public:
  explicit Copy(const std::byte* bytes) : bytes_(bytes) {}

  template <typename T>
  T Read(size_t offset) const {
    T value;
    __builtin_memcpy(&value, bytes_ + offset, sizeof(value));
    return value;
  }

 private:
  const std::byte* bytes_;
};

constexpr size_t CardOffset(uint32_t card) {
  return offsetof(UsagePageV1, cards) + card * sizeof(CardUsageV1);
}

constexpr size_t SlotOffset(uint32_t slot) {
  return offsetof(UsagePageV1, slots) + slot * sizeof(SlotV1);
}

constexpr size_t PartOffset(uint32_t slot, uint32_t card) {
  return SlotOffset(slot) + offsetof(SlotV1, used) + card * sizeof(abi::Pair);
}

SnapshotVerdict CheckHeader(const Copy& copy) {
  if (copy.Read<uint64_t>(offsetof(UsagePageV1, magic)) != abi::kUsageMagic)
    return SnapshotVerdict::kNotUsage;
  if (copy.Read<uint16_t>(offsetof(UsagePageV1, major)) != abi::kUsageMajor)
    return SnapshotVerdict::kOtherVersion;
  if (copy.Read<uint32_t>(offsetof(UsagePageV1, size)) < sizeof(UsagePageV1))
    return SnapshotVerdict::kNotUsage;
  return SnapshotVerdict::kValid;
}

CardSnapshot ReadCard(const Copy& copy, uint32_t card) {
  const size_t offset = CardOffset(card);
  const Total total = Unpack(copy.Read<abi::Pair>(offset + offsetof(CardUsageV1, total)));
  uint64_t peak = copy.Read<uint64_t>(offset + offsetof(CardUsageV1, peak_bytes));
  // The peak is raised after the total, so it may lag behind.
  if (peak < total.bytes) peak = total.bytes;
  if (peak > kMaxBytes) peak = kMaxBytes;
  return {.total_bytes = total.bytes,
          .peak_bytes = peak,
          .refusals = copy.Read<uint64_t>(offset + offsetof(CardUsageV1, refusals)),
          .exact = false};
}

// The slot's bytes on the card, with the last change applied if it is this slot's and still
// pending.
uint64_t ReadPart(const Copy& copy, uint32_t slot, uint32_t card) {
  const Part part = UnpackPart(copy.Read<abi::Pair>(PartOffset(slot, card)));
  const Total total = Unpack(copy.Read<abi::Pair>(CardOffset(card) + offsetof(CardUsageV1, total)));
  if (total.slot != slot || total.sequence == part.sequence) return part.bytes;
  return Apply(part.bytes, total.delta, total.negative);
}

void ReadCommand(const Copy& copy, size_t offset, ProcessSnapshot& process) {
  constexpr size_t kLength = sizeof(SlotOwner::command);
  static_assert(sizeof(process.command) == kLength + 1);
  size_t i = 0;
  for (; i < kLength; ++i) {
    const char c = copy.Read<char>(offset + i);
    if (c == '\0') break;
    process.command[i] = c >= ' ' && c <= '~' ? c : '?';
  }
  process.command[i] = '\0';
}

// False for a slot that nobody took and that holds nothing.
bool ReadSlot(const Copy& copy, uint32_t slot, ProcessSnapshot& process) {
  const size_t owner = SlotOffset(slot) + offsetof(SlotV1, owner);
  process.slot = slot;
  process.taken = (copy.Read<uint64_t>(owner + offsetof(SlotOwner, generation)) & 1) != 0;
  bool holds_bytes = false;
  for (uint32_t card = 0; card < kMaxCards; ++card) {
    process.used_bytes[card] = ReadPart(copy, slot, card);
    holds_bytes |= process.used_bytes[card] != 0;
  }
  if (!process.taken && !holds_bytes) return false;
  process.pid = copy.Read<uint32_t>(owner + offsetof(SlotOwner, pid));
  process.pid_namespace = copy.Read<uint64_t>(owner + offsetof(SlotOwner, pid_namespace));
  process.start_time = copy.Read<uint64_t>(owner + offsetof(SlotOwner, start_time));
  process.exec_mark = copy.Read<uint32_t>(owner + offsetof(SlotOwner, exec_mark));
  ReadCommand(copy, owner + offsetof(SlotOwner, command), process);
  return true;
}

}  // namespace

SnapshotVerdict ReadSnapshot(std::span<const std::byte> untrusted_copy, RegionSnapshot& snapshot) {
  if (untrusted_copy.size() < sizeof(UsagePageV1)) return SnapshotVerdict::kTooShort;
  const Copy copy(untrusted_copy.data());
  const SnapshotVerdict verdict = CheckHeader(copy);
  if (verdict != SnapshotVerdict::kValid) return verdict;

  uint64_t parts[kMaxCards] = {};  // 1024 parts of 44 bits each fit
  snapshot.process_count = 0;
  for (uint32_t slot = 0; slot < kMaxSlots; ++slot) {
    ProcessSnapshot& process = snapshot.processes[snapshot.process_count];
    if (!ReadSlot(copy, slot, process)) continue;
    ++snapshot.process_count;
    for (uint32_t card = 0; card < kMaxCards; ++card) parts[card] += process.used_bytes[card];
  }
  for (uint32_t card = 0; card < kMaxCards; ++card) {
    snapshot.cards[card] = ReadCard(copy, card);
    snapshot.cards[card].exact = parts[card] == snapshot.cards[card].total_bytes;
  }
  return verdict;
}

}  // namespace warpshare::ledger
