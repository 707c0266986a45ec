#include "apps/warpshare/set_command.h"

#include <cstdio>
#include <string>

#include "apps/warpshare/arguments.h"
#include "apps/warpshare/complaint.h"
#include "node/tenancy/limit_change.h"
#include "node/tenancy/limit_text.h"
#include "node/tenancy/state_dir.h"

namespace warpshare::app {

namespace {

std::string ChangeText(const std::string& tenant, const node::LimitChange& change) {
  const node::CardReport& card = change.card;
  std::string text = tenant + ": card " +
                     (card.index ? std::to_string(*card.index) : card.uuid.ShortText()) + ": " +
                     node::LimitText(card.limit) + " -> " + Exact(change.limit);
  if (card.used > change.limit)
    text += " (it holds " + Rounded(card.used) + " and gets no more until it is below)";
  return text;
}

}  // namespace

int Set(const SetOptions& options) {
  const auto name = ReadTenantName(options.name);
  if (!name) return ExitWith(name.error());
  const auto memory = ReadMemory(options.memory);
  if (!memory) return ExitWith(memory.error());
  const auto state = node::StateDir::Open(node::StateDir::DefaultPath(), node::IfMissing::kFail);
  if (!state && state.error().code != Errc::kNotFound) return ExitWith(state.error());
  const auto changes =
      state ? node::ChangeLimits(*state, *name, *memory, options.card)
            : Fail(Errc::kNotFound, "no tenant '" + name->text() + "' is running: no tenant is");
  if (!changes) return ExitWith(changes.error());
  for (const node::LimitChange& change : *changes)
    std::puts(ChangeText(name->text(), change).c_str());
  return kSuccess;
}

}  // namespace warpshare::app
