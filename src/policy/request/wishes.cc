#include "policy/request/wishes.h"

#include <utility>

#include "abi/names/annotations.h"
#include "policy/request/compute_words.h"
#include "types/printable.h"

namespace warpshare::request {

namespace {

constexpr size_t kMaxListLength = 256;  // entries; each is compared with every model or card

Failure Refuse(const char* annotation, std::string_view untrusted_text, std::string_view mend) {
  return Fail(Errc::kInvalid, "annotation " + std::string(annotation) + " '" +
                                  Printable(untrusted_text, 64) + "': " + std::string(mend));
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Between commas; empty entries are passed over.
std::vector<std::string_view> Split(std::string_view list) {
  std::vector<std::string_view> entries;
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const std::string_view entry = Trim(list.substr(0, comma));
    if (!entry.empty()) entries.push_back(entry);
    list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
  }
  return entries;
}

Result<std::vector<std::string_view>> ReadList(const TextMap& annotations, const char* annotation) {
  const std::string* text = Find(annotations, annotation);
  if (text == nullptr) return {};
  auto entries = Split(*text);
  if (entries.empty()) return Refuse(annotation, *text, "is empty: name one, or leave it out");
  if (entries.size() > kMaxListLength) return Refuse(annotation, *text, "names more than 256");
  return entries;
}

Result<std::vector<std::string>> ReadModels(const TextMap& annotations, const char* annotation) {
  auto entries = ReadList(annotations, annotation);
  if (!entries) return Forward(entries);
  return std::vector<std::string>(entries->begin(), entries->end());
}

Result<std::vector<GpuUuid>> ReadUuids(const TextMap& annotations, const char* annotation) {
  auto entries = ReadList(annotations, annotation);
  if (!entries) return Forward(entries);
  std::vector<GpuUuid> uuids;
  for (const std::string_view entry : *entries) {
    const auto uuid = ParseGpuUuid(entry);
    if (!uuid) return Refuse(annotation, entry, "write GPU-8-4-4-4-12 hexadecimal digits");
    uuids.push_back(*uuid);
  }
  return uuids;
}

Result<Policy> ReadPolicy(const TextMap& annotations, const char* annotation) {
  const std::string* text = Find(annotations, annotation);
  if (text == nullptr) return Policy::kFit;
  const auto policy = ParsePolicy(*text);
  if (!policy) return Refuse(annotation, *text, "say fit, binpack, spread or topology");
  return *policy;
}

std::optional<uint32_t> ParseWeight(std::string_view text) {
  uint32_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || value > share::kMaxWeight) return std::nullopt;
    value = value * 10 + static_cast<uint32_t>(c - '0');
  }
  if (value == 0 || value > share::kMaxWeight) return std::nullopt;
  return value;
}

std::optional<Error> ReadPriority(const TextMap& annotations, ComputeWish& wish) {
  const std::string* text = Find(annotations, abi::kAnnotationPriority);
  if (text == nullptr) return std::nullopt;
  const auto priority = ParsePriority(*text);
  if (!priority) return Refuse(abi::kAnnotationPriority, *text, "say high or low").value();
  if (wish.mode.value_or(share::Mode::kPriority) != share::Mode::kPriority)
    return Refuse(abi::kAnnotationPriority, *text,
                  "goes with compute policy priority: leave the other policy out")
        .value();
  wish.mode = share::Mode::kPriority;
  wish.priority = *priority;
  return std::nullopt;
}

}  // namespace

Result<ComputeWish> ReadComputeWish(const TextMap& annotations) {
  ComputeWish wish;
  if (const std::string* text = Find(annotations, abi::kAnnotationComputePolicy)) {
    wish.mode = ParseMode(*text);
    if (!wish.mode)
      return Refuse(abi::kAnnotationComputePolicy, *text, "say hard, soft, weighted or priority");
  }
  if (const std::string* text = Find(annotations, abi::kAnnotationComputeWeight)) {
    const auto weight = ParseWeight(*text);
    if (!weight) return Refuse(abi::kAnnotationComputeWeight, *text, "write a number from 1 to 16");
    wish.weight = *weight;
  }
  if (auto error = ReadPriority(annotations, wish)) return Fail(std::move(*error));
  if (wish.mode == share::Mode::kHard) wish.weight = 1;  // it never gets idle time
  return wish;
}

Result<CardWishes> ReadCardWishes(const TextMap& annotations) {
  auto use_models = ReadModels(annotations, abi::kAnnotationUseModel);
  if (!use_models) return Forward(use_models);
  auto avoid_models = ReadModels(annotations, abi::kAnnotationAvoidModel);
  if (!avoid_models) return Forward(avoid_models);
  auto use_uuids = ReadUuids(annotations, abi::kAnnotationUseUuid);
  if (!use_uuids) return Forward(use_uuids);
  auto avoid_uuids = ReadUuids(annotations, abi::kAnnotationAvoidUuid);
  if (!avoid_uuids) return Forward(avoid_uuids);
  auto node_policy = ReadPolicy(annotations, abi::kAnnotationNodePolicy);
  if (!node_policy) return Forward(node_policy);
  auto card_policy = ReadPolicy(annotations, abi::kAnnotationCardPolicy);
  if (!card_policy) return Forward(card_policy);
  return CardWishes{.use_models = std::move(*use_models),
                    .avoid_models = std::move(*avoid_models),
                    .use_uuids = std::move(*use_uuids),
                    .avoid_uuids = std::move(*avoid_uuids),
                    .node_policy = *node_policy,
                    .card_policy = *card_policy};
}

}  // namespace warpshare::request
