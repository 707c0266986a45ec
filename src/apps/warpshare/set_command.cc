#include "apps/warpshare/set_command.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "apps/warpshare/arbiter_start.h"
#include "apps/warpshare/arguments.h"
#include "apps/warpshare/complaint.h"
#include "apps/warpshare/compute_words.h"
#include "apps/warpshare/overpromise_warning.h"
#include "node/tenancy/limit_change.h"
#include "node/tenancy/limit_text.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/clock.h"

namespace warpshare::app {

namespace {

using node::CardReport;
using node::LimitChange;

Result<node::LimitRequest> ReadWords(const SetOptions& options) {
  auto name = ReadTenantName(options.name);
  if (!name) return Forward(name);
  const auto compute = ReadCompute(options.compute);
  if (!compute) return Fail(compute.error());
  node::LimitRequest request{.tenant = std::move(*name), .card = options.card, .compute = *compute};
  if (!options.memory) return request;
  if (*options.memory == kNoMemoryLimit) {
    request.memory = node::MemoryChange{.most = std::nullopt};
    return request;
  }
  const auto memory = ReadMemory(*options.memory);
  if (!memory) return Fail(memory.error());
  request.memory = node::MemoryChange{.most = *memory};
  return request;
}

std::string MemoryChange(const LimitChange& change) {
  const CardReport& card = change.card;
  std::string text = node::LimitText(card.limit) + " -> " + node::LimitText(change.memory);
  if (change.memory && card.used > *change.memory)
    text += " (it holds " + Rounded(card.used) + " and gets no more until it is below)";
  return text;
}

// A line for each limit that was asked to be changed.
void Print(const node::LimitRequest& request, const LimitChange& change) {
  const CardReport& card = change.card;
  const std::string where = request.tenant.text() + ": card " +
                            (card.index ? std::to_string(*card.index) : card.uuid.ShortText()) +
                            ": ";
  if (request.memory) std::puts((where + MemoryChange(change)).c_str());
  if (request.compute)
    std::puts((where + "GPU time: " + node::LongText(card.compute.limit) + " -> " +
               node::LongText(change.compute))
                  .c_str());
}

}  // namespace

int Set(const SetOptions& options) {
  const auto request = ReadWords(options);
  if (!request) return ExitWith(request.error());
  const auto state = node::StateDir::Open(node::StateDir::DefaultPath(), node::IfMissing::kFail);
  if (!state && state.error().code == Errc::kNotFound)
    return ExitWith(
        {Errc::kNotFound, "no tenant '" + request->tenant.text() + "' is running: no tenant is"});
  if (!state) return ExitWith(state.error());
  platform::SystemClock clock;
  const auto changes = node::ChangeLimits(*state, *request, clock);
  if (!changes) return ExitWith(NamingTheFlag(changes.error()));
  for (const LimitChange& change : *changes) Print(*request, change);
  if (std::ranges::any_of(*changes, [](const auto& change) { return change.compute.has_value(); }))
    SeeToArbiter(*state);
  if (request->compute) WarnOfOverpromises(*state, request->tenant);
  return kSuccess;
}

}  // namespace warpshare::app
