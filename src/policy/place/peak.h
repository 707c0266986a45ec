// What a pod holds of each card over its life: ordinary containers and sidecars together, or an
// init container beside the sidecars before it, whichever is more.
#pragma once

#include <vector>

#include "policy/place/ledger.h"

namespace warpshare::place {

void Add(CardHold& sum, const CardHold& hold);
// To the greater of each amount.
void RaiseTo(CardHold& peak, const CardHold& hold);

class PodPeak {
 public:
  // The next container of the pod, in its order; Add() then gives it cards.
  void Begin(request::ContainerKind kind) { kind_ = kind; }
  void Add(const GpuUuid& uuid, const CardHold& hold);

  std::vector<HeldCard> Cards() const;

 private:
  struct Life {
    GpuUuid uuid = {};
    CardHold sidecars = {};
    CardHold running = {};
    CardHold init = {};
  };

  request::ContainerKind kind_ = request::ContainerKind::kOrdinary;
  std::vector<Life> lives_;
};

}  // namespace warpshare::place
