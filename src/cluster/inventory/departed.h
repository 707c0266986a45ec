// Parts of cards of pods that are gone, or have ended, while nobody has said that their processes
// are. In the usual case the kubelet has: it reports every container as ended before it lets the
// pod go, so that nothing of this costs a call. What went another way (deleted by force, ended by
// somebody else's word) is held
//  - for as long as the node says so, in its annotation warpshare.io/lingering;
//  - for kWordTime, in which the node would have said so. A node that died with its daemon starts
//    nobody before it has looked for itself.
// A node without that annotation is not waited for.
//
// Threads: those of the view, whose part this is. It changes the ledger, and the books by what it
// returns.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "policy/place/ledger.h"
#include "policy/request/assignment.h"

namespace warpshare::cluster {

class Departed {
 public:
  // The daemon looks once a second; the rest is for watches and writes that are late.
  static constexpr std::chrono::seconds kWordTime{15};

  explicit Departed(place::Ledger& ledger) : ledger_(ledger) {}

  // Its hold stays from now on. To be called only if it has one.
  void Await(const std::string& uid) { awaited_.insert_or_assign(uid, uint64_t{0}); }
  // It is there again, or was never gone.
  void Recall(const std::string& uid) { awaited_.erase(uid); }
  // Of whom nothing was said in time. The first look at one starts its time.
  std::vector<std::string> TakeExpired(uint64_t now_ns);

  // What a node says now; true if it holds less than before. Pods of which it speaks are waited for
  // no more: `heard` gets those, and their own holds are the caller's to release.
  bool SetLingering(const std::string& node, const request::Assignment& said,
                    std::vector<std::string>& heard);
  void RemoveNode(const std::string& node);
  // Is that who has something on the ledger for one that is gone?
  bool IsOfTheGone(const std::string& holder) const;
  bool IsAwaited(const std::string& uid) const { return awaited_.contains(uid); }
  // Does the node speak of this pod now?
  bool IsLingering(const std::string& node, const std::string& uid) const;

  size_t awaited() const { return awaited_.size(); }

 private:
  place::Ledger& ledger_;
  std::unordered_map<std::string, uint64_t> awaited_;  // by uid: deadlines; 0: not looked at yet
  std::unordered_map<std::string, std::vector<std::string>> keys_;  // by node: holds on the ledger
};

}  // namespace warpshare::cluster
