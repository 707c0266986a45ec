#include "node/local/other_arbiters.h"

#include <fcntl.h>
#include <unistd.h>

#include "node/local/node_lock.h"
#include "node/tenancy/card_promises.h"
#include "platform/process/name_claim.h"
#include "platform/region_file/file_lock.h"

namespace warpshare::node {

namespace {

constexpr size_t kMostBytes = 4096;  // of 64 cards, a line each

std::string ServedPath(const std::string& state) { return state + "/served-cards"; }

// Empty when nobody serves there.
std::string ServedCards(const std::string& state) {
  const auto file = platform::OpenFile(ServedPath(state), O_RDONLY);
  if (!file) return {};
  const auto is_served = platform::IsLockedElsewhere(*file);
  if (!is_served || !*is_served) return {};
  return platform::ReadWholeFile(ServedPath(state), kMostBytes).value_or("");
}

// Who hands out a card, too: another user's arbiter, or our own of another state folder; empty if
// nobody does.
std::string OtherHolder(const std::optional<platform::NameHolder>& holder,
                        std::optional<pid_t> own_node) {
  if (!holder) return "";
  if (holder->user != geteuid()) return "the arbiter of user " + std::to_string(holder->user);
  if (!own_node || holder->pid == 0 || holder->pid == *own_node) return "";
  return "your arbiter of another state folder (process " + std::to_string(holder->pid) + ")";
}

}  // namespace

// A reader may lock it, too, and so be told of a node that is gone; nothing else comes of it.
Result<platform::Descriptor> TellServedCards(const StateDir& state,
                                             std::span<const GpuUuid> cards) {
  auto file = platform::OpenFile(ServedPath(state.path()), O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (!file) return Forward(file);
  std::string lines;
  for (const GpuUuid& card : cards) lines += card.Text() + "\n";
  if (auto written = platform::WriteAll(*file, lines); !written) return Forward(written);
  if (auto taken = platform::TryLock(*file, platform::LockMode::kExclusive); !taken)
    return Forward(taken);
  return file;
}

std::vector<std::string> FindOtherArbiters(const StateDir& state, const OthersPlaces& places) {
  std::vector<std::string> found;
  const bool is_cluster = state.path() == places.cluster_state;
  const std::string served = is_cluster ? "" : ServedCards(places.cluster_state);
  const std::optional<pid_t> own_node = RunningNode(state);
  for (const GpuUuid& card : CardsHeldBack(state)) {
    const std::string other =
        OtherHolder(platform::FindNameHolder(places.names + card.Text()), own_node);
    if (served.find(card.Text()) != std::string::npos)
      found.push_back(card.ShortText() + " is handed out by this machine's Kubernetes node, too");
    else if (!other.empty())
      found.push_back(card.ShortText() + " is handed out by " + other + ", too");
  }
  return found;
}

}  // namespace warpshare::node
