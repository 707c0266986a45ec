#include "node/device_plugin/taken_cards.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "platform/log_file/log_words.h"
#include "types/printable.h"

namespace warpshare::node {

namespace {

constexpr char kHolder[] = "nvidia.com.gpu";  // in place of a container's name
constexpr std::string_view kDeviceNode = "nvidia";

std::optional<uint32_t> NumberIn(std::string_view text) {
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

bool IsNamed(const platform::Card& card, std::string_view name) {
  if (const auto uuid = ParseGpuUuid(name)) return card.uuid == *uuid;
  if (const auto index = NumberIn(name)) return card.index == *index;
  if (!name.starts_with(kDeviceNode)) return false;
  const auto minor = NumberIn(name.substr(kDeviceNode.size()));
  return minor && card.minor == minor;
}

}  // namespace

std::optional<GpuUuid> CardOfDevice(std::string_view id, const std::vector<CardState>& cards) {
  const std::string_view name = id.substr(0, std::min(id.find("::"), id.find('/')));
  const auto found =
      std::ranges::find_if(cards, [&](const CardState& each) { return IsNamed(each.card, name); });
  if (found == cards.end()) return std::nullopt;
  return found->card.uuid;
}

bool TakenCards::Look() {
  const auto pods = pod_resources_->List();
  if (!pods) return false;
  const std::vector<CardState> cards = cards_.Cards();
  std::map<GpuUuid, std::set<std::string>> by_card;
  std::vector<std::string> unknown;
  for (const platform::PodDevices& pod : *pods)
    for (const platform::ContainerDevices& container : pod.containers)
      for (const std::string& id : container.ids) {
        const auto card = CardOfDevice(id, cards);
        if (card)
          by_card[*card].insert(pod.name_space + "/" + pod.name);
        else
          unknown.push_back(id);
      }
  std::vector<TakenCard> taken;
  for (const CardState& each : cards)
    if (const auto found = by_card.find(each.card.uuid); found != by_card.end())
      taken.push_back({.uuid = each.card.uuid,
                       .memory = each.card.total,
                       .pods = {found->second.begin(), found->second.end()}});
  {
    const std::scoped_lock held(mutex_);
    taken_.swap(taken);
    is_known_ = true;
  }
  LogUnknown(std::move(unknown));
  return true;
}

void TakenCards::LogUnknown(std::vector<std::string> unknown) {
  std::ranges::sort(unknown);
  if (unknown == unknown_) return;
  unknown_ = std::move(unknown);
  for (const std::string& id : unknown_)
    log_.Line(platform::LogText(
        "unknown nvidia.com/gpu",
        {{"device", Printable(id, 64)},
         {"reason", "no card here is named so: whoever has it may share one with our tenants"}}));
}

std::vector<TakenCard> TakenCards::Now() const {
  const std::scoped_lock held(mutex_);
  return taken_;
}

std::string TakenCards::WhoHas(const GpuUuid& uuid) const {
  const std::scoped_lock held(mutex_);
  const auto found = std::ranges::find(taken_, uuid, &TakenCard::uuid);
  if (found == taken_.end()) return "";
  return uuid.ShortText() + " was given to pod " + found->pods.front() +
         " by NVIDIA's device plugin (nvidia.com/gpu)";
}

request::Assignment TakenCards::Assignment() const {
  request::Assignment assignment{.node = node_name_, .containers = {}};
  const std::scoped_lock held(mutex_);
  for (const TakenCard& card : taken_) {
    if (assignment.containers.empty())
      assignment.containers.push_back({.container = kHolder, .cards = {}});
    assignment.containers.front().cards.push_back({.uuid = card.uuid,
                                                   .memory = card.memory,
                                                   .cores_percent = request::kWholeCardCores,
                                                   .whole = true,
                                                   .compute = {}});
  }
  return assignment;
}

std::optional<Holder> TakenCards::AsHolder() const {
  request::Assignment assignment = Assignment();
  if (assignment.containers.empty()) return std::nullopt;
  request::Request lone;
  lone.containers.push_back({.name = kHolder});
  return Holder{.key = kHolder,
                .pod_uid = kHolder,
                .request = std::move(lone),
                .assignment = std::move(assignment)};
}

std::string TakenCards::Text() const {
  {
    const std::scoped_lock held(mutex_);
    if (!is_known_) return "";
  }
  return request::Encode(Assignment());
}

}  // namespace warpshare::node
