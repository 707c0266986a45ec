#include "cluster/inventory/departed.h"

#include <algorithm>
#include <utility>

#include "policy/place/grant.h"

namespace warpshare::cluster {

namespace {

constexpr std::string_view kLingering = "lingering/";  // no pod has a uid that begins so

std::string KeyOf(const std::string& node, const std::string& uid) {
  return std::string(kLingering) + node + '/' + uid;
}

place::PodHold HoldOf(const std::string& node, const request::ContainerGrant& grant) {
  request::Request lone;
  lone.containers.push_back(
      {.name = grant.container, .cards = static_cast<uint32_t>(grant.cards.size()), .compute = {}});
  return place::HoldOf(lone, {.node = node, .containers = {grant}});
}

}  // namespace

std::vector<std::string> Departed::TakeExpired(uint64_t now_ns) {
  constexpr uint64_t kTime = std::chrono::nanoseconds(kWordTime).count();
  std::vector<std::string> expired;
  for (auto& [uid, deadline] : awaited_) {
    if (deadline == 0) deadline = now_ns + kTime;
    if (deadline <= now_ns) expired.push_back(uid);
  }
  for (const std::string& uid : expired) awaited_.erase(uid);
  return expired;
}

bool Departed::SetLingering(const std::string& node, const request::Assignment& said,
                            std::vector<std::string>& heard) {
  std::vector<std::string> keys;
  for (const request::ContainerGrant& grant : said.containers) {
    const std::string& uid = grant.container;
    if (awaited_.erase(uid) != 0) heard.push_back(uid);
    keys.push_back(KeyOf(node, uid));
    ledger_.Adopt(keys.back(), HoldOf(node, grant));
  }
  std::vector<std::string>& before = keys_[node];
  bool has_less = false;
  for (const std::string& key : before)
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) has_less |= ledger_.Release(key);
  before = std::move(keys);
  return has_less;
}

bool Departed::IsOfTheGone(const std::string& holder) const {
  return awaited_.contains(holder) || holder.starts_with(kLingering);
}

bool Departed::IsLingering(const std::string& node, const std::string& uid) const {
  const auto keys = keys_.find(node);
  return keys != keys_.end() && std::find(keys->second.begin(), keys->second.end(),
                                          KeyOf(node, uid)) != keys->second.end();
}

void Departed::RemoveNode(const std::string& node) {
  const auto found = keys_.find(node);
  if (found == keys_.end()) return;
  for (const std::string& key : found->second) ledger_.Release(key);
  keys_.erase(found);
}

}  // namespace warpshare::cluster
