#include "policy/request/assignment.h"

#include <charconv>
#include <optional>

#include "policy/request/compute_words.h"
#include "types/printable.h"

namespace warpshare::request {

namespace {

constexpr std::string_view kVersion = "v1";
constexpr std::string_view kWholeWord = "whole";
constexpr size_t kMaxNameLength = 253;  // of a Kubernetes object

// The text up to the next `separator`, which is taken away with it; none when nothing is left.
class Parts {
 public:
  Parts(std::string_view text, char separator) : rest_(text), separator_(separator) {}

  std::optional<std::string_view> Next() {
    if (done_) return std::nullopt;
    const size_t end = rest_.find(separator_);
    const std::string_view part = rest_.substr(0, end);
    done_ = end == std::string_view::npos;
    if (!done_) rest_.remove_prefix(end + 1);
    return part;
  }

 private:
  std::string_view rest_;
  char separator_;
  bool done_ = false;
};

bool IsName(std::string_view text) {
  if (text.empty() || text.size() > kMaxNameLength) return false;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (!plain) return false;
  }
  return true;
}

std::optional<uint32_t> ParseNumber(std::string_view text, uint32_t most) {
  uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || value > most) return std::nullopt;
  return value;
}

Failure Broken(std::string_view what, std::string_view untrusted_part) {
  return Fail(Errc::kCorrupt, "assignment: " + std::string(what) + " in '" +
                                  Printable(untrusted_part, 64) +
                                  "': it is the scheduler's to write; delete the pod, so that it "
                                  "is placed again");
}

bool SetMode(CardGrant& grant, std::string_view word, std::optional<std::string_view> weight) {
  if (word == kWholeWord) {
    grant.whole = true;
    return !weight && grant.cores_percent == kWholeCardCores;
  }
  const auto compute = ParseComputeWord(word);
  if (!compute) return false;
  grant.compute = *compute;
  if (!weight) return true;
  const auto number = ParseNumber(*weight, share::kMaxWeight);
  if (!number || *number < 2) return false;
  grant.compute.weight = *number;
  return true;
}

std::optional<CardGrant> DecodeCard(std::string_view text) {
  Parts parts(text, ':');
  const auto uuid = ParseGpuUuid(parts.Next().value_or(""));
  const auto memory = ParseBytes(parts.Next().value_or(""));
  const auto cores = ParseNumber(parts.Next().value_or(""), kWholeCardCores);
  const auto mode = parts.Next();
  const auto weight = parts.Next();
  if (!uuid || !memory || *memory == 0_B || !cores || !mode || parts.Next()) return std::nullopt;
  CardGrant grant{.uuid = *uuid, .memory = *memory, .cores_percent = *cores, .compute = {}};
  if (!SetMode(grant, *mode, weight)) return std::nullopt;
  if (!share::Validate(TermsOf(grant))) return std::nullopt;
  return grant;
}

bool Holds(const std::vector<CardGrant>& cards, const GpuUuid& uuid) {
  for (const CardGrant& card : cards)
    if (card.uuid == uuid) return true;
  return false;
}

Result<ContainerGrant> DecodeContainer(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || !IsName(text.substr(0, equals)))
    return Broken("no name of a container", text);
  ContainerGrant grant{.container = std::string(text.substr(0, equals)), .cards = {}};
  Parts cards(text.substr(equals + 1), '+');
  while (const auto part = cards.Next()) {
    const auto card = DecodeCard(*part);
    if (!card) return Broken("not uuid:memory:cores:mode", *part);
    if (Holds(grant.cards, card->uuid)) return Broken("the same card twice", *part);
    grant.cards.push_back(*card);
  }
  return grant;
}

void AppendCard(std::string& text, const CardGrant& card) {
  text += card.uuid.Text();
  text += ':';
  text += Exact(card.memory);
  text += ':';
  text += std::to_string(card.cores_percent);
  text += ':';
  if (card.whole) {
    text += kWholeWord;
    return;
  }
  text += ComputeWord(card.compute);
  if (card.compute.weight != 1) text.append(":").append(std::to_string(card.compute.weight));
}

}  // namespace

const ContainerGrant* Assignment::Find(std::string_view container) const {
  for (const ContainerGrant& grant : containers)
    if (grant.container == container) return &grant;
  return nullptr;
}

std::string Encode(const Assignment& assignment) {
  std::string text(kVersion);
  text.append(";").append(assignment.node);
  for (const ContainerGrant& grant : assignment.containers) {
    text.append(";").append(grant.container);
    char separator = '=';
    for (const CardGrant& card : grant.cards) {
      text += separator;
      AppendCard(text, card);
      separator = '+';
    }
  }
  return text;
}

Result<Assignment> DecodeAssignment(std::string_view text) {
  if (text.size() > kMaxAssignmentBytes)
    return Fail(Errc::kCorrupt,
                "assignment: over 16 KiB: delete the pod, so that it is placed again");
  Parts parts(text, ';');
  const std::string_view version = parts.Next().value_or("");
  if (version != kVersion)
    return Fail(Errc::kInvalid, "assignment: version '" + Printable(version, 16) +
                                    "' is not known here, v1 is: upgrade what reads it");
  const std::string_view node = parts.Next().value_or("");
  if (!IsName(node)) return Broken("no name of a node", node);
  Assignment assignment{.node = std::string(node), .containers = {}};
  while (const auto part = parts.Next()) {
    auto grant = DecodeContainer(*part);
    if (!grant) return Forward(grant);
    if (assignment.Find(grant->container) != nullptr)
      return Broken("the same container twice", *part);
    assignment.containers.push_back(std::move(*grant));
  }
  if (Encode(assignment) != text) return Broken("another spelling than the scheduler's", text);
  return assignment;
}

share::Terms TermsOf(const CardGrant& grant) {
  const Compute& compute = grant.compute;
  share::Terms terms{.mode = compute.mode, .weight = compute.weight, .priority = compute.priority};
  if (!grant.whole && share::IsGuaranteed(terms))
    terms.share_permille = grant.cores_percent * (share::kWholeCard / kWholeCardCores);
  return terms;
}

}  // namespace warpshare::request
