#include "node/tenancy/membership.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "abi/names/env.h"
#include "node/tenancy/card_promises.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/limit_text.h"
#include "node/tenancy/presence.h"
#include "platform/region_file/file_lock.h"

namespace warpshare::node {

namespace {

using platform::Card;
using platform::CardLimit;
using platform::Descriptor;
using platform::Limits;

Result<Limits> LimitsOf(const TenantRequest& request) {
  Limits limits{.tenant = request.name.text(), .cards = {}};
  const auto compute =
      request.compute ? LimitAfter(*request.compute, std::nullopt) : ComputeLimit();
  if (!compute) return Fail(compute.error());
  for (const Card& card : request.chosen) {
    std::optional<Bytes> memory;
    if (request.memory) {
      if (auto checked = CheckFits(*request.memory, card.index, card.total); !checked)
        return Forward(checked);
      memory = request.memory->On(card.total);
    }
    limits.cards.push_back(
        {.uuid = card.uuid, .memory = memory, .capacity = card.total, .compute = OnPage(*compute)});
  }
  return limits;
}

// Holds the tenant for us and, through the inherited descriptor, for what we start.
Result<Descriptor> HoldRuns(const TenantDir& tenant) {
  auto runs = platform::OpenFile(tenant.runs_path(), O_RDONLY);
  if (!runs) return Forward(runs);
  const auto held = platform::TryLock(*runs, platform::LockMode::kShared);
  if (!held) return Fail(held.error());
  if (!*held)
    return Fail(Errc::kConflict,
                tenant.runs_path() + " is locked by a stranger: find it with lsof");
  return platform::CopyForChildren(*runs);
}

Result<void> CheckSameDriver(const Limits& limits, const TenantRequest& request) {
  for (const CardLimit& card : limits.cards)
    if (std::ranges::find(request.machine, card.uuid, &Card::uuid) == request.machine.end())
      return Fail(Errc::kConflict, "tenant '" + limits.tenant + "' runs on " +
                                       card.uuid.ShortText() +
                                       ", which this run's driver does not have: use the same "
                                       "--sim and WARPSHARE_DRIVER_DIR, or another --name");
  return {};
}

Result<void> CheckSameCards(const Limits& limits, const TenantRequest& request) {
  if (!request.cards_stated) return {};
  std::vector<GpuUuid> ours;
  std::vector<GpuUuid> theirs;
  for (const Card& card : request.chosen) ours.push_back(card.uuid);
  for (const CardLimit& card : limits.cards) theirs.push_back(card.uuid);
  std::ranges::sort(ours);
  std::ranges::sort(theirs);
  if (ours == theirs) return {};
  return Fail(Errc::kConflict, "tenant '" + limits.tenant +
                                   "' already runs on other cards: leave --gpu out to join it, or "
                                   "use another --name");
}

Result<void> CheckSameMemory(const Limits& limits, const TenantRequest& request) {
  if (!request.memory) return {};
  for (const CardLimit& card : limits.cards) {
    if (card.memory == request.memory->On(card.capacity)) continue;
    return Fail(Errc::kConflict, "tenant '" + limits.tenant + "' already runs with " +
                                     LimitText(card.memory) + ", not " + request.memory->Text() +
                                     ": leave --memory out to join it, or run: warpshare set " +
                                     limits.tenant + " --memory " + request.memory->Text());
  }
  return {};
}

Result<void> CheckSameCompute(const Limits& limits, const TenantRequest& request) {
  if (!request.compute) return {};
  for (const CardLimit& card : limits.cards) {
    const ComputeLimit holds = FromPage(card.compute);
    const auto asked = LimitAfter(*request.compute, holds);
    if (asked && *asked == holds) continue;
    // What does not go with what holds is no share by itself, and has no text.
    return Fail(Errc::kConflict, "tenant '" + limits.tenant + "' already runs with GPU time " +
                                     LongText(holds) +
                                     (asked ? ", not " + LongText(*asked) : ", which this is not") +
                                     ": leave it out to join the tenant, or change it with: "
                                     "warpshare set " +
                                     limits.tenant);
  }
  return {};
}

// What the system refuses is refused of files in the state folder.
Failure NotBuilt(const Error& error) {
  if (error.code != Errc::kSystem) return Fail(error);
  return Fail(error.code, error.message + ": make room there, or set " + abi::kEnvStateDir +
                              " to another folder");
}

}  // namespace

Result<Membership> Membership::Enter(const StateDir& state, const TenantRequest& request,
                                     platform::Clock& clock) {
  const auto lock = state.Lock(clock);
  if (!lock) return Fail(lock.error());
  ReapLeftovers(state);
  const auto tenant = TenantDir::Open(state.tenants_path() + "/" + request.name.text());
  if (tenant) return Join(*tenant, request);
  if (tenant.error().code != Errc::kNotFound) return Fail(tenant.error());
  auto made = Create(state, request);
  if (made) SpreadStaticShares(state);
  return made;
}

Result<Membership> Membership::Create(const StateDir& state, const TenantRequest& request) {
  auto limits = LimitsOf(request);
  if (!limits) return Forward(limits);
  // Built aside, held, and only then given its name: nobody sees it half-made or empty.
  const std::string aside = state.tenants_path() + "/.new-" + RandomKey();
  const std::string path = state.tenants_path() + "/" + request.name.text();
  std::error_code ignored;
  auto built = TenantDir::Build(aside, *limits, request.chosen);
  if (!built) {
    std::filesystem::remove_all(aside, ignored);
    return NotBuilt(built.error());
  }
  auto runs = HoldRuns(*built);
  if (!runs || rename(aside.c_str(), path.c_str()) != 0) {
    const Error error = runs ? SystemError("cannot make " + path, errno) : runs.error();
    std::filesystem::remove_all(aside, ignored);
    return Fail(error);
  }
  return Membership(built->At(path), std::move(*limits), std::move(*runs));
}

Result<Membership> Membership::Join(const TenantDir& tenant, const TenantRequest& request) {
  auto limits = platform::ReadLimitsFile(tenant.limits_path());
  if (!limits) return Forward(limits);
  for (const auto check : {CheckSameDriver, CheckSameCards, CheckSameMemory, CheckSameCompute})
    if (auto agrees = check(*limits, request); !agrees) return Forward(agrees);
  auto runs = HoldRuns(tenant);
  if (!runs) return Forward(runs);
  return Membership(tenant, std::move(*limits), std::move(*runs));
}

void Membership::Leave(const StateDir& state, platform::Clock& clock) {
  const auto lock = state.Lock(clock);
  runs_.Close();
  if (!lock || IsInUse(tenant_)) return;
  (void)RemoveTenant(state, tenant_.path());
  SpreadStaticShares(state);
}

}  // namespace warpshare::node
