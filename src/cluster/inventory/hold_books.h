// Port: books that are kept of what pods hold beside the ledger, such as quotas by namespace. The
// view tells of every change, on its loop.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "policy/place/ledger.h"
#include "result/result.h"

namespace warpshare::cluster {

class HoldBooks {
 public:
  struct Entry {
    const std::string& space;
    const std::string& uid;
    const place::PodHold& hold;
    const place::Ledger& ledger;  // knows the cards
  };
  virtual ~HoldBooks() = default;

  // Is anything ever refused to pods of that namespace? Else nobody needs to ask.
  virtual bool Limits(const std::string& space) const = 0;
  // Why Reserve would refuse it, if those pods had nothing; none: it would not.
  virtual std::optional<Error> Check(const Entry& entry,
                                     const std::unordered_set<std::string>& gone) const = 0;
  // May the pod have it, in place of what it had? On an error it has nothing.
  virtual Result<void> Reserve(const Entry& entry) = 0;
  // It has it, whatever the books say: it is on its node.
  virtual void Count(const Entry& entry) = 0;
  // It has what it had, and by now the ledger knows other cards than when that was told.
  virtual void CountAgain(const std::string& uid, const place::PodHold& hold,
                          const place::Ledger& ledger) = 0;
  // Also of pods that were never told of.
  virtual void Release(const std::string& uid) = 0;
};

}  // namespace warpshare::cluster
