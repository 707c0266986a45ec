#include "apps/warpshare/tenant_text.h"

#include <algorithm>
#include <map>
#include <optional>

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
  std::string name;
  Bytes capacity;
  uint64_t promised = 0;
  uint64_t used = 0;
  bool is_unlimited = false;
};

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
  std::map<std::string, CardSum> cards;
  for (const TenantReport& tenant : tenants) {
    for (const CardReport& card : tenant.cards) {
      CardSum& sum = cards[CardText(card)];
      sum.name = card.name;
      sum.capacity = card.capacity;
      sum.promised += card.limit ? card.limit->count() : 0;
      sum.is_unlimited |= !card.limit;
      sum.used += card.used.count();
    }
  }
  TextTable table;
  for (const auto& [text, sum] : cards)
    table.Add({"card " + text, sum.name, Rounded(sum.capacity),
               "promised " + (sum.is_unlimited ? "all" : Rounded(Bytes(sum.promised))),
               "used by tenants " + Rounded(Bytes(sum.used))});
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
