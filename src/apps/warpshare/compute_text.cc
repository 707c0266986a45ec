#include "apps/warpshare/compute_text.h"

#include <algorithm>
#include <optional>

#include "apps/warpshare/text_table.h"
#include "types/decimal.h"
#include "types/duration.h"

namespace warpshare::app {

namespace {

using node::CardReport;
using node::ComputeReport;
using node::TenantReport;
using std::chrono::nanoseconds;

std::string PermilleText(uint32_t permille) {
  const std::string text = DecimalText(permille, 1);
  return text + (text.find('.') == text.npos ? ".0%" : "%");
}

// The tenant's word; in the text, no more than three hundred years.
std::string TimeText(uint64_t ns) {
  return Rounded(nanoseconds(static_cast<int64_t>(std::min<uint64_t>(ns, INT64_MAX))));
}

std::string WaitText(const node::WaitCounts& waits, uint32_t percent) {
  const auto wait = WaitPercentile(waits, percent);
  return wait ? Rounded(*wait) : "-";
}

TextTable::Row CardRow(const TenantReport& tenant, const CardReport& card,
                       const std::optional<ComputeRates>& rates) {
  const ComputeReport& compute = card.compute;
  const node::WaitCounts& waits = rates ? rates->waits : compute.waits;
  return {tenant.name,
          card.index ? std::to_string(*card.index) : card.uuid.ShortText(),
          node::ShortText(compute.limit),
          rates ? PermilleText(rates->used_permille) : "-",
          rates ? PermilleText(rates->granted_permille) : "-",
          TimeText(compute.used_ns),
          std::to_string(compute.waiting),
          TimeText(compute.waited_ns),
          WaitText(waits, 50),
          WaitText(waits, 99)};
}

std::string ArbiterProblem(node::ArbiterState state) {
  if (state == node::ArbiterState::kNone) return "no arbiter";
  return state == node::ArbiterState::kHangs ? "the arbiter hangs" : "";
}

void WriteOptional(const char* key, std::optional<uint64_t> value, JsonWriter& json) {
  json.Key(key);
  value ? json.Number(*value) : json.Null();
}

const char* ModeWord(share::Mode mode) {
  switch (mode) {
    case share::Mode::kHard:
      return "hard";
    case share::Mode::kSoft:
      return "soft";
    case share::Mode::kWeighted:
      return "weighted";
    case share::Mode::kPriority:
      break;
  }
  return "priority";
}

void WriteTerms(const share::Terms& terms, JsonWriter& json) {
  json.Key("policy").Text(ModeWord(terms.mode));
  WriteOptional(
      "share_permille",
      share::IsGuaranteed(terms) ? std::optional<uint64_t>(terms.share_permille) : std::nullopt,
      json);
  json.Key("weight").Number(terms.weight).Key("priority");
  if (terms.mode == share::Mode::kPriority)
    json.Text(share::IsHigh(terms) ? "high" : "low");
  else
    json.Null();
  json.Key("burst_ns").Number(terms.burst_ns);
  json.Key("latency_target_ns").Number(terms.latency_target_ns);
}

std::optional<uint64_t> Micros(std::optional<std::chrono::microseconds> time) {
  if (!time) return std::nullopt;
  return static_cast<uint64_t>(time->count());
}

}  // namespace

std::vector<std::string> ComputeTable(const Observation* before, const Observation& now,
                                      size_t width) {
  TextTable table;
  table.Add({"TENANT", "CARD", "SHARE", "USED", "GRANTED", "GPU TIME", "WAITING", "THROTTLED",
             "WAIT P50", "P99"});
  bool is_empty = true;
  for (const TenantReport& tenant : now.tenants) {
    for (size_t card = 0; card < tenant.cards.size(); ++card) {
      if (!tenant.cards[card].compute.limit) continue;
      table.Add(CardRow(tenant, tenant.cards[card],
                        before ? RatesOf(*before, now, tenant, card) : std::nullopt));
      is_empty = false;
    }
  }
  if (is_empty) return {};
  if (before == nullptr) table.Drop({"USED", "GRANTED"});
  table.DropToFit(width, {"GPU TIME", "WAIT P50", "GRANTED", "THROTTLED", "WAITING", "P99"});
  std::vector<std::string> lines = table.Lines(width);
  if (const std::string problem = ArbiterProblem(now.arbiter); !problem.empty())
    lines.push_back((problem + ": each keeps itself to its share; mend: warpshare doctor")
                        .substr(0, width == 0 ? std::string::npos : width));
  return lines;
}

void WriteCompute(const ComputeReport& compute, const std::optional<ComputeRates>& rates,
                  JsonWriter& json) {
  if (!compute.limit) {
    json.Null();
    return;
  }
  const node::WaitCounts& waits = rates ? rates->waits : compute.waits;
  json.BeginObject();
  WriteTerms(*compute.limit, json);
  json.Key("granted_ns").Number(compute.granted_ns).Key("used_ns").Number(compute.used_ns);
  json.Key("waiting_processes").Number(compute.waiting).Key("waited_ns").Number(compute.waited_ns);
  WriteOptional("wait_p50_us", Micros(WaitPercentile(waits, 50)), json);
  WriteOptional("wait_p99_us", Micros(WaitPercentile(waits, 99)), json);
  using Number = std::optional<uint64_t>;
  WriteOptional("interval_ns",
                rates ? Number(static_cast<uint64_t>(rates->interval.count())) : Number(), json);
  WriteOptional("used_permille", rates ? Number(rates->used_permille) : Number(), json);
  WriteOptional("granted_permille", rates ? Number(rates->granted_permille) : Number(), json);
  json.EndObject();
}

}  // namespace warpshare::app
