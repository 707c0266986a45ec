#include "node/tenancy/tenant_report.h"

#include <algorithm>

#include "ledger/memory_slot.h"
#include "ledger/snapshot.h"
#include "node/tenancy/card_note.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/presence.h"
#include "node/tenancy/usage_reading.h"
#include "platform/process/lookup.h"
#include "platform/region_file/limits_file.h"

namespace warpshare::node {

namespace {

using ledger::ProcessSnapshot;
using ledger::RegionSnapshot;

std::vector<CardReport> ReportLimits(const platform::Limits& limits,
                                     const std::vector<NotedCard>& notes) {
  std::vector<CardReport> cards;
  for (const platform::CardLimit& limit : limits.cards) {
    CardReport card{.index = std::nullopt,
                    .uuid = limit.uuid,
                    .name = {},
                    .limit = limit.memory,
                    .capacity = limit.capacity,
                    .used = {},
                    .peak = {},
                    .refusals = 0,
                    .compute = {.limit = FromPage(limit.compute)}};
    if (const auto note = std::ranges::find(notes, limit.uuid, &NotedCard::uuid);
        note != notes.end()) {
      card.index = note->index;
      card.name = note->name;
    }
    cards.push_back(std::move(card));
  }
  return cards;
}

uint64_t AddUp(uint64_t sum, uint64_t more) {
  return sum > UINT64_MAX - more ? UINT64_MAX : sum + more;
}

// Adds a process's GPU time to the cards'.
void AddTimes(const UsageReading& usage, ProcessReport& process, std::vector<CardReport>& cards) {
  for (uint32_t card = 0; card < cards.size(); ++card) {
    const SlotTimes times = usage.Times(process.identity.slot, card);
    ComputeReport& compute = cards[card].compute;
    process.gpu_ns.push_back(times.used_ns);
    compute.used_ns = AddUp(compute.used_ns, times.used_ns);
    compute.waited_ns = AddUp(compute.waited_ns, times.waited_ns);
    compute.waiting += times.waits ? 1 : 0;
  }
}

ProcessReport ReportProcess(const ProcessSnapshot& process, size_t card_count) {
  ProcessReport report{.pid = process.pid,
                       .pid_is_ours = process.pid_namespace == platform::OwnPidNamespace(),
                       .command = process.command,
                       .used = {},
                       .identity = {process.slot, process.pid, process.start_time}};
  for (size_t card = 0; card < card_count; ++card)
    report.used.emplace_back(process.used_bytes[card]);
  return report;
}

// Takes off what somebody holds who is not there any more.
void TakeOff(const ProcessSnapshot& process, std::vector<CardReport>& cards) {
  for (size_t card = 0; card < cards.size(); ++card) {
    const uint64_t used = cards[card].used.count();
    cards[card].used = Bytes(used - std::min(used, process.used_bytes[card]));
  }
}

ledger::OwnerIdentity OwnerOf(const ProcessSnapshot& slot) {
  return {.pid = slot.pid,
          .start_time = slot.start_time,
          .pid_namespace = slot.pid_namespace,
          .exec_mark = slot.exec_mark,
          .command = {}};
}

// What a process has exported is its own in the report, as long as it has it.
void AddExports(const RegionSnapshot& snapshot, const ProcessSnapshot& maker,
                ProcessReport& report) {
  for (uint32_t i = 0; i < snapshot.process_count; ++i) {
    const ProcessSnapshot& memory = snapshot.processes[i];
    if (!memory.taken || !ledger::IsMemory(memory.slot) ||
        !ledger::IsMadeBy(OwnerOf(memory), maker.pid, maker.pid_namespace))
      continue;
    for (size_t card = 0; card < report.used.size(); ++card)
      report.used[card] = Bytes(report.used[card].count() + memory.used_bytes[card]);
  }
}

void AddUsage(const UsageReading& reading, const platform::UsageFile& usage, Proof proof,
              TenantReport& report) {
  const RegionSnapshot& snapshot = reading.snapshot();
  for (uint32_t card = 0; card < report.cards.size(); ++card) {
    report.cards[card].used = Bytes(snapshot.cards[card].total_bytes);
    report.cards[card].peak = Bytes(snapshot.cards[card].peak_bytes);
    report.cards[card].refusals = snapshot.cards[card].refusals;
    report.cards[card].compute.waits = reading.Waits(card);
  }
  for (uint32_t i = 0; i < snapshot.process_count; ++i) {
    const ProcessSnapshot& process = snapshot.processes[i];
    const bool is_there = process.taken && IsOwnerThere(process, usage, proof);
    if (is_there && ledger::IsMemory(process.slot)) continue;
    if (is_there) {
      report.processes.push_back(ReportProcess(process, report.cards.size()));
      AddTimes(reading, report.processes.back(), report.cards);
      AddExports(snapshot, process, report.processes.back());
    } else {
      TakeOff(process, report.cards);
    }
  }
}

void AddTurns(const std::string& limits_path, std::vector<CardReport>& cards) {
  const auto turns = platform::ReadTurns(limits_path);
  for (size_t card = 0; turns && card < std::min(cards.size(), turns->size()); ++card) {
    cards[card].compute.granted_ns = (*turns)[card].granted_ns;
    cards[card].compute.valid_until_ns = (*turns)[card].valid_until_ns;
  }
}

}  // namespace

Result<TenantReport> ReportTenant(const TenantDir& tenant, const std::string& name) {
  const auto limits = platform::ReadLimitsFile(tenant.limits_path());
  if (!limits) return Fail(limits.error());
  TenantReport report{.name = name,
                      .cards = ReportLimits(*limits, ReadCardNote(tenant.cards_path())),
                      .processes = {},
                      .problem = {}};
  const auto usage = platform::UsageFile::Open(tenant.usage_path());
  if (!usage) return Fail(usage.error());
  if (const auto reading = ReadUsage(*usage))
    AddUsage(*reading, *usage, ProofOf(tenant), report);
  else
    report.problem = reading.error().message;
  AddTurns(tenant.limits_path(), report.cards);
  return report;
}

std::vector<TenantReport> ReportTenants(const StateDir& state) {
  std::vector<TenantReport> reports;
  for (const std::string& name : TenantNames(state)) {
    const auto tenant = TenantDir::Open(state.tenants_path() + "/" + name);
    if (!tenant || !IsInUse(*tenant)) continue;
    if (auto report = ReportTenant(*tenant, name)) reports.push_back(std::move(*report));
  }
  return reports;
}

}  // namespace warpshare::node
