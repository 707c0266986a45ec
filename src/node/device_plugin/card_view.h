// The cards of the node and which of them are well, now.
#pragma once

#include <vector>

#include "platform/nvml/nvml.h"

namespace warpshare::node {

struct CardState {
  platform::Card card;
  bool is_healthy;
};

// From any thread.
class CardView {
 public:
  virtual ~CardView() = default;
  virtual std::vector<CardState> Cards() const = 0;
};

}  // namespace warpshare::node
