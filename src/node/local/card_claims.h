// Which cards this arbiter is the only one of, as far as it can see: there is one node for each
// state folder, so root's, each user's and Kubernetes' may hand out the same card. Shares then hold
// among the tenants of each, and between the two the card's driver decides. An arbiter has its name
// at its cards (platform/process/name_claim.h); who comes second says so in its log.
//
// It is told, never refused: any user can hold a name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/process/name_claim.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

// What the names of cards begin with.
inline constexpr char kArbiterNames[] = "warpshare-arbiter/";

class CardClaims {
 public:
  explicit CardClaims(std::string names) : names_(std::move(names)) {}

  // Takes the names of these cards that are free, and lets go of all others. To be called now and
  // then. Returns what is new: a line for each card that somebody else has now, or no longer.
  std::vector<std::string> Fit(const std::vector<GpuUuid>& cards);

 private:
  struct Claim {
    std::optional<platform::NameClaim> name;
    bool is_told = false;  // that it is somebody else's
  };

  void FitOne(const GpuUuid& card, Claim& claim, std::vector<std::string>& news);

  const std::string names_;
  std::map<GpuUuid, Claim> claims_;
};

}  // namespace warpshare::node
