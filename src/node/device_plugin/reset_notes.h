// Which cards wait for a reset, on disk, as the driver tells of a fault once and the daemon may end
// at any time: <state>/to-be-reset/<uuid> holds the number of the fault (XID). A restart of the
// machine clears what is under /run, and resets the cards. Who removes a file says that its card
// was reset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "node/tenancy/state_dir.h"
#include "result/result.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

class ResetNotes {
 public:
  explicit ResetNotes(const StateDir& state) : folder_(state.path() + "/to-be-reset") {}

  // None: there is no note, or one that nobody here wrote.
  std::optional<uint64_t> Read(const GpuUuid& card) const;
  bool Has(const GpuUuid& card) const;  // in doubt, yes

  Result<void> Write(const GpuUuid& card, uint64_t xid) const;
  void Remove(const GpuUuid& card) const;

 private:
  std::string PathOf(const GpuUuid& card) const { return folder_ + "/" + card.Text(); }

  const std::string folder_;
};

}  // namespace warpshare::node
