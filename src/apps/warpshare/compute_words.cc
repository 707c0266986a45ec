#include "apps/warpshare/compute_words.h"

#include <string>
#include <string_view>
#include <utility>

#include "policy/share/cgpu_words.h"
#include "types/decimal.h"
#include "types/duration.h"
#include "types/printable.h"

namespace warpshare::app {

namespace {

using node::ComputeRequest;
using share::Mode;
using share::TermsChange;

constexpr std::string_view kNone = "none";
constexpr unsigned kPercentPlaces = 1;  // a share is kept in permille

Failure Bad(const char* flag, const std::string& text, const std::string& reason) {
  return Fail(Errc::kInvalid, std::string(flag) + " " + Printable(text) + ": " + reason);
}

Result<std::optional<uint32_t>> ReadCores(const std::optional<std::string>& said) {
  if (!said) return std::nullopt;
  std::string_view text = *said;
  if (text.ends_with('%')) text.remove_suffix(1);
  const auto permille = ParseDecimal(text, kPercentPlaces, UINT32_MAX);
  if (!permille)
    return Bad("--cores", *said,
               "no percentage: write one of the card's time in steps of 0.1, such as 30 or "
               "12.5");
  if (*permille > share::kWholeCard)
    return Bad("--cores", *said, "at most 100; that is the whole card, all its cores together");
  if (*permille == 0)
    return Bad("--cores", *said, "at least 0.1: to stop a tenant, stop its programs");
  return static_cast<uint32_t>(*permille);
}

Result<std::optional<uint32_t>> ReadWeight(const std::optional<std::string>& said) {
  if (!said) return std::nullopt;
  const auto weight = ParseDecimal(*said, 0, share::kMaxWeight);
  if (!weight || *weight == 0) return Bad("--weight", *said, "write a whole number from 1 to 16");
  return static_cast<uint32_t>(*weight);
}

Result<std::optional<share::Priority>> ReadPriority(const std::optional<std::string>& said) {
  if (!said) return std::nullopt;
  if (*said == "high") return share::Priority::kHigh;
  if (*said == "low") return share::Priority::kLow;
  return Bad("--priority", *said, "write high or low");
}

Result<std::optional<uint64_t>> ReadTime(const char* flag, const std::optional<std::string>& said,
                                         uint64_t most_ns) {
  if (!said) return std::nullopt;
  const auto duration = ParseDuration(*said);
  if (!duration) return Bad(flag, *said, "no length of time: write one such as 50ms or 1.5s");
  const auto ns = static_cast<uint64_t>(duration->count());
  if (ns > most_ns) return Bad(flag, *said, "at most 10s");
  return ns;
}

// Our own words; cGPU's `weighted` means the same.
std::optional<Mode> ModeOf(std::string_view word) {
  if (word == "hard") return Mode::kHard;
  if (word == "soft") return Mode::kSoft;
  if (word == "weighted") return Mode::kWeighted;
  if (word == "priority") return Mode::kPriority;
  return std::nullopt;
}

// What cGPU's word means goes where nothing more exact was said.
Result<void> AddPolicy(const std::string& word, TermsChange& change) {
  change.mode = ModeOf(word);
  if (change.mode) return {};
  const uint32_t percent = (change.share_permille.value_or(0) + 9) / 10;
  const auto terms =
      share::TermsOfCgpuPolicy(word, {.percent = percent, .weight = change.weight.value_or(1)});
  if (!terms && terms.error().message.starts_with("policy:"))
    return Bad("--policy", word,
               "write hard, soft, weighted, priority or none; or as cGPU has it, average, "
               "preempt, fixed, weak or native");
  if (!terms) return Fail(terms.error());
  if (word == "average" && change.share_permille)
    return Bad("--policy", word, "is a share by itself: leave --cores out, or write fixed");
  change.mode = terms->mode;
  if (share::IsGuaranteed(*terms) && !change.share_permille)
    change.share_permille = terms->share_permille;
  return {};
}

Result<TermsChange> ReadChange(const ComputeWords& words) {
  const auto cores = ReadCores(words.cores);
  if (!cores) return Fail(cores.error());
  const auto weight = ReadWeight(words.weight);
  if (!weight) return Fail(weight.error());
  const auto priority = ReadPriority(words.priority);
  if (!priority) return Fail(priority.error());
  const auto burst = ReadTime("--burst", words.burst, share::kMaxBurstNs);
  if (!burst) return Fail(burst.error());
  const auto target =
      ReadTime("--latency-target", words.latency_target, share::kMaxLatencyTargetNs);
  if (!target) return Fail(target.error());
  TermsChange change = {.share_permille = *cores,
                        .weight = *weight,
                        .priority = *priority,
                        .burst_ns = *burst,
                        .latency_target_ns = *target};
  if (words.policy)
    if (auto added = AddPolicy(*words.policy, change); !added) return Fail(added.error());
  return change;
}

}  // namespace

bool IsAnySaid(const ComputeWords& words) {
  return words.cores || words.policy || words.weight || words.priority || words.burst ||
         words.latency_target;
}

Result<std::optional<ComputeRequest>> ReadCompute(const ComputeWords& words) {
  if (!IsAnySaid(words)) return std::nullopt;
  const auto change = ReadChange(words);
  if (words.policy != kNone) {
    if (!change) return Fail(NamingTheFlag(change.error()));
    return ComputeRequest{.is_lifted = false, .change = *change};
  }
  if (words.cores || words.weight || words.priority || words.burst || words.latency_target)
    return Bad("--policy", *words.policy, "is no limit at all: leave the other flags out");
  return ComputeRequest{.is_lifted = true, .change = {}};
}

Error NamingTheFlag(Error error) {
  constexpr std::pair<std::string_view, std::string_view> kFlags[] = {
      {"share:", "--cores:"},
      {"percent:", "--cores:"},
      {"weight:", "--weight:"},
      {"mode:", "--policy:"},
      {"burst:", "--burst:"},
      {"priority:", "--priority:"},
      {"latency target:", "--latency-target:"}};
  for (const auto& [field, flag] : kFlags)
    if (error.message.starts_with(field)) error.message.replace(0, field.size(), flag);
  return error;
}

}  // namespace warpshare::app
