#include "apps/warpshare/tenant_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "apps/warpshare/compute_text.h"
#include "apps/warpshare/json_writer.h"
#include "apps/warpshare/text_table.h"

namespace warpshare::app {

namespace {

using node::CardReport;
using node::ProcessReport;
using node::TenantReport;

std::string CardText(const CardReport& card) {
  return card.index ? std::to_string(*card.index) : card.uuid.ShortText();
}

std::string PercentText(Bytes part, std::optional<Bytes> whole) {
  if (!whole || *whole == Bytes(0)) return "";
  const auto percent =
      static_cast<uint64_t>(static_cast<unsigned __int128>(part.count()) * 100 / whole->count());
  return std::to_string(percent) + "%";
}

std::string ProcessText(const ProcessReport& process) {
  // A pid of another namespace is a number there, and none to kill here.
  const std::string pid = std::to_string(process.pid);
  return (process.pid_is_ours ? pid : "(" + pid + ")") + " " + process.command;
}

// Shown beside the card: those that hold memory there; beside the first, those that hold none.
bool BelongsTo(const ProcessReport& process, size_t card) {
  if (process.used.at(card) != Bytes(0)) return true;
  return card == 0 &&
         std::ranges::all_of(process.used, [](Bytes used) { return used == Bytes(0); });
}

void AddCard(const TenantReport& tenant, size_t position, TextTable& table) {
  const CardReport& card = tenant.cards[position];
  table.Add({position == 0 ? tenant.name : "", CardText(card),
             card.limit ? Rounded(*card.limit) : "none", Rounded(card.used),
             PercentText(card.used, card.limit ? card.limit : card.capacity), Rounded(card.peak),
             std::to_string(card.refusals), ""});
  for (const ProcessReport& process : tenant.processes)
    if (BelongsTo(process, position))
      table.Add({"", "", "", Rounded(process.used[position]), "", "", "", ProcessText(process)});
}

void WriteCard(const CardReport& card, const std::optional<ComputeRates>& rates, JsonWriter& json) {
  json.BeginObject();
  json.Key("index");
  card.index ? json.Number(*card.index) : json.Null();
  json.Key("uuid").Text(card.uuid.Text()).Key("name").Text(card.name);
  json.Key("limit_bytes");
  card.limit ? json.Number(card.limit->count()) : json.Null();
  json.Key("capacity_bytes").Number(card.capacity.count());
  json.Key("used_bytes").Number(card.used.count());
  json.Key("peak_bytes").Number(card.peak.count());
  json.Key("refusals").Number(card.refusals).Key("compute");
  WriteCompute(card.compute, rates, json);
  json.EndObject();
}

void WriteProcess(const ProcessReport& process, JsonWriter& json) {
  json.BeginObject().Key("pid").Number(process.pid);
  json.Key("pid_namespace").Text(process.pid_is_ours ? "own" : "other");
  json.Key("command").Text(process.command);
  json.Key("used_bytes").BeginList();
  for (const Bytes used : process.used) json.Number(used.count());
  json.EndList().Key("gpu_ns").BeginList();
  for (const uint64_t ns : process.gpu_ns) json.Number(ns);
  json.EndList().EndObject();
}

struct CardSum {
  std::optional<uint32_t> index;
  std::string name;
  Bytes capacity;
  uint64_t promised = 0;
  uint64_t used = 0;
  bool is_unlimited = false;
};

using CardSums = std::map<GpuUuid, CardSum>;

// A simulated card and a real one may both be card 0.
CardSums SumsOf(const std::vector<TenantReport>& tenants) {
  CardSums sums;
  for (const TenantReport& tenant : tenants) {
    for (const CardReport& card : tenant.cards) {
      CardSum& sum = sums[card.uuid];
      sum.index = card.index;
      sum.name = card.name;
      sum.capacity = card.capacity;
      sum.promised += card.limit ? card.limit->count() : 0;
      sum.is_unlimited |= !card.limit;
      sum.used += card.used.count();
    }
  }
  return sums;
}

// Those without an index last; then by uuid.
std::vector<GpuUuid> InOrder(const CardSums& sums) {
  std::vector<GpuUuid> cards;
  for (const auto& [uuid, sum] : sums) cards.push_back(uuid);
  std::ranges::sort(cards, {}, [&](const GpuUuid& uuid) {
    return std::pair(sums.at(uuid).index.value_or(UINT32_MAX), uuid);
  });
  return cards;
}

std::string NameIn(const CardSums& sums, const GpuUuid& uuid) {
  const std::optional<uint32_t> index = sums.at(uuid).index;
  if (!index) return uuid.ShortText();
  const auto of_this_index =
      std::ranges::count_if(sums, [&](const auto& each) { return each.second.index == index; });
  return std::to_string(*index) + (of_this_index > 1 ? " (" + uuid.ShortText() + ")" : "");
}

}  // namespace

std::vector<std::string> TenantTable(const std::vector<TenantReport>& tenants, size_t width) {
  TextTable table;
  table.Add({"TENANT", "CARD", "LIMIT", "USED", "", "PEAK", "REFUSED", "PROCESS"});
  for (const TenantReport& tenant : tenants) {
    for (size_t position = 0; position < tenant.cards.size(); ++position)
      AddCard(tenant, position, table);
    if (!tenant.problem.empty()) table.Add({"", "", "", "", "", "", "", tenant.problem});
  }
  return table.Lines(width);
}

std::vector<std::string> CardTable(const std::vector<TenantReport>& tenants, size_t width) {
  const CardSums sums = SumsOf(tenants);
  TextTable table;
  for (const GpuUuid& uuid : InOrder(sums)) {
    const CardSum& sum = sums.at(uuid);
    table.Add({"card " + NameIn(sums, uuid), sum.name, Rounded(sum.capacity),
               "promised " + (sum.is_unlimited ? "all" : Rounded(Bytes(sum.promised))),
               "used by tenants " + Rounded(Bytes(sum.used))});
  }
  return table.Lines(width);
}

std::string TenantJson(const Observation* before, const Observation& now) {
  JsonWriter json;
  json.BeginObject().Key("tenants").BeginList();
  for (const TenantReport& tenant : now.tenants) {
    json.BeginObject().Key("name").Text(tenant.name).Key("cards").BeginList();
    for (size_t card = 0; card < tenant.cards.size(); ++card)
      WriteCard(tenant.cards[card], before ? RatesOf(*before, now, tenant, card) : std::nullopt,
                json);
    json.EndList().Key("processes").BeginList();
    for (const ProcessReport& process : tenant.processes) WriteProcess(process, json);
    json.EndList().Key("problem");
    tenant.problem.empty() ? json.Null() : json.Text(tenant.problem);
    json.EndObject();
  }
  json.EndList().EndObject();
  return json.text();
}

}  // namespace warpshare::app
