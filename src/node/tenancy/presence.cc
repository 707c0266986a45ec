#include "node/tenancy/presence.h"

#include <fcntl.h>
#include <unistd.h>

#include "ledger/process_identity.h"
#include "node/tenancy/container_tenant.h"
#include "node/tenancy/usage_reading.h"
#include "platform/process/lookup.h"
#include "platform/region_file/file_lock.h"

namespace warpshare::node {

namespace {

using ledger::Lookup;
using platform::ProcessLookup;

Lookup LookUpOwner(const ledger::ProcessSnapshot& process, ledger::ProcessStat& stat) {
  const bool comparable = process.pid_namespace != 0 && process.start_time != 0 &&
                          process.pid_namespace == platform::OwnPidNamespace();
  if (!comparable) return Lookup::kCannotTell;
  const ProcessLookup found = platform::LookUpProcess(process.pid);
  switch (found.answer) {
    case ProcessLookup::Answer::kNoProcess:
      return Lookup::kNoProcess;
    case ProcessLookup::Answer::kThere:
      if (ledger::ParseProcessStat(found.stat.data(), found.stat.size(), stat))
        return Lookup::kThere;
      break;
    case ProcessLookup::Answer::kCannotTell:
      break;
  }
  return Lookup::kCannotTell;
}

bool IsAnyRunThere(const TenantDir& tenant) {
  const auto runs = platform::OpenFile(tenant.runs_path(), O_RDONLY);
  if (!runs) return runs.error().code != Errc::kNotFound;
  const auto held = platform::IsLockedElsewhere(*runs);
  return !held || *held;
}

}  // namespace

Proof ProofOf(const TenantDir& tenant) {
  const bool is_container = access(ClaimPath(tenant.path()).c_str(), F_OK) == 0;
  return is_container ? Proof::kLock : Proof::kPidOrLock;
}

bool IsOwnerThere(const ledger::ProcessSnapshot& process, const platform::UsageFile& usage,
                  Proof proof) {
  ledger::ProcessStat stat{};
  const Lookup lookup = proof == Proof::kLock ? Lookup::kCannotTell : LookUpOwner(process, stat);
  return !ledger::IsOwnerDead(lookup, stat, {process.start_time, process.exec_mark}, [&] {
    const auto held = usage.IsSlotHeld(process.slot);
    return !held || *held;
  });
}

bool HasProcesses(const TenantDir& tenant) {
  const auto usage = platform::UsageFile::Open(tenant.usage_path());
  if (!usage) return usage.error().code != Errc::kNotFound;
  const auto held = usage->IsAnySlotHeld();
  if (!held || *held) return true;
  const Proof proof = ProofOf(tenant);
  if (proof == Proof::kLock) return false;
  const auto reading = ReadUsage(*usage);
  if (!reading) return false;  // nobody counts in a file like that
  const ledger::RegionSnapshot& snapshot = reading->snapshot();
  for (uint32_t i = 0; i < snapshot.process_count; ++i) {
    const ledger::ProcessSnapshot& process = snapshot.processes[i];
    if (process.taken && IsOwnerThere(process, *usage, proof)) return true;
  }
  return false;
}

bool IsInUse(const TenantDir& tenant) { return IsAnyRunThere(tenant) || HasProcesses(tenant); }

}  // namespace warpshare::node
