// The pods that ask for cards and are on no node; and of these the newcomers, whom kube-scheduler
// has not asked about yet, in the order in which it will: by priority and arrival, for each
// scheduler.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "policy/request/pod_view.h"

namespace warpshare::cluster {

struct WaitingPod {
  request::Request request = {};
  request::QueueView queue = {};
  std::string version = {};  // of its object
  int64_t created_s = 0;     // since 1970; 0: not known
  int32_t priority = 0;
  bool was_asked_about = false;
};

class WaitingPods {
 public:
  using ByUid = std::unordered_map<std::string, WaitingPod>;
  struct Turn {
    std::string scheduler = {};
    int64_t rank = INT64_MIN;  // less for a higher priority
    uint64_t arrival = 0;

    auto operator<=>(const Turn&) const = default;
  };
  using Newcomers = std::map<Turn, std::string>;  // their uids

  void Set(const request::PodView& pod, request::Request request);
  void Erase(const std::string& uid);
  void NoteAskedAbout(const std::string& uid);

  const ByUid& by_uid() const { return by_uid_; }
  const WaitingPod* Find(const std::string& uid) const;  // nullptr: it does not wait
  const Newcomers& newcomers() const { return newcomers_; }
  bool IsNewcomer(const std::string& uid) const { return turns_.contains(uid); }

 private:
  void Enter(const std::string& uid, const WaitingPod& pod);
  void Leave(const std::string& uid);

  ByUid by_uid_;
  Newcomers newcomers_;
  std::unordered_map<std::string, Turn> turns_;  // of the newcomers, by uid
  uint64_t arrivals_ = 0;
};

}  // namespace warpshare::cluster
