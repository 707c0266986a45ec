// What each namespace may have of the cluster's cards, what it has, and who has it there. The
// webhook asks it at the door; bind reserves in it before a pod is bound, and is the one that
// counts: pods that came in together are held to the quota one by one. Pods that would not be bound
// there the webhook refuses.
//
// Belongs to one thread, the loop's. Has no I/O: quota_watch.h brings the limits, and the one who
// follows the pods tells who is there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "policy/admit/quota.h"
#include "result/result.h"

namespace warpshare::quota {

// The entry for namespaces that have none of their own; no namespace has such a name.
inline constexpr char kOtherNamespaces[] = "_others";

// By namespace. An error stands for a quota that nobody can read: nothing new is let in under it.
using Quotas = std::map<std::string, Result<admit::LimitByModel>, std::less<>>;

class QuotaBook {
 public:
  // Until the first call nobody knows the limits, and nothing is let in.
  void SetQuotas(Quotas quotas);
  // How often that was; pods that were refused may be let in after it.
  uint64_t changes() const { return changes_; }
  const std::optional<Quotas>& quotas() const { return quotas_; }

  // None: a pod of that amount may be let in now. kInvalid: the quota itself is unreadable.
  std::optional<Error> Check(const std::string& space, const admit::AmountByModel& wanted) const;

  // The same, if those pods had nothing.
  std::optional<Error> CheckWithout(const std::unordered_set<std::string>& pod_uids,
                                    const std::string& space,
                                    const admit::AmountByModel& wanted) const;

  // Is there anything that the namespace's pods may not have? True also before that is known.
  bool Limits(const std::string& space) const;

  // Takes the amount, or says why not. A pod that has an amount already has the new one instead.
  Result<void> Reserve(const std::string& space, const std::string& pod_uid,
                       const admit::AmountByModel& amount);

  // For a pod that has it whatever the quota says: it was found on a node.
  void Count(const std::string& space, const std::string& pod_uid, admit::AmountByModel amount);

  // The same pod's, counted in other words. Nothing happens for a pod that has nothing.
  void CountAgain(const std::string& pod_uid, admit::AmountByModel amount);

  // Nothing happens for a pod that has nothing.
  void Release(const std::string& pod_uid);

  // Every namespace that has a quota of its own, or pods under that for the others: what it may
  // have and has, in all ("") and under each of the quota's words for models.
  struct Standing {
    std::string space;
    std::string model;
    admit::Limit limit;
    admit::Amount used;
  };
  std::vector<Standing> Standings() const;

  // In all and by the models of the cards; all zero for a namespace without pods.
  admit::AmountByModel Used(const std::string& space) const;

 private:
  struct Holding {
    std::string space;
    admit::AmountByModel amount;
  };

  using Limitation = const Result<admit::LimitByModel>*;  // nullptr: there is none

  Limitation FindLimits(const std::string& space) const;
  std::optional<Error> CheckAgainst(const std::string& space, const admit::AmountByModel& used,
                                    const admit::AmountByModel& wanted) const;
  admit::AmountByModel CountAnew(const std::string& space) const;

  std::optional<Quotas> quotas_;
  uint64_t changes_ = 0;
  std::unordered_map<std::string, Holding> by_pod_;
  std::map<std::string, admit::AmountByModel> by_space_;
};

}  // namespace warpshare::quota
