// What World, Memory, Engine and Events share: the attached file, this process's place, and the
// reaping of the dead. Inside the room only.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "simgpu/world/layout/world_file.h"
#include "simgpu/world/memory/card_accounts.h"
#include "simgpu/world/memory/card_data.h"
#include "simgpu/world/memory/exports.h"
#include "simgpu/world/process/participant.h"

namespace simgpu::world {

class Machine {
 public:
  explicit Machine(std::unique_ptr<WorldFile> file);

  const SharedMap& map() const { return file_->map(); }
  const Scenario& scenario() const { return file_->scenario(); }
  const std::string& directory() const { return file_->directory(); }
  uint64_t id() const { return map().header().world_id; }
  int card_count() const { return map().card_count(); }

  CardAccounts& accounts(int card) { return accounts_[card]; }
  CardData& data(int card) { return *data_[card]; }
  const Exports& exports() const { return exports_; }

  bool Join();  // reaps when the table is full
  const Participant& self() const { return participant_; }
  std::string join_error() const;

  void Leave();  // as a death would, but at once

  // Gives back what dead participants held. When it returns, everything held by those who had died
  // before the call is off the accounts (their pages may still be on their way back, in another
  // process). Costs some loads for each participant when nobody has died.
  void Reap();

 private:
  enum class Claim { kClaimed, kNothingToDo };
  Claim ClaimDead(ProcessSlot& slot);
  void ReapSlot(uint32_t index);
  void Drain(uint32_t index);
  void ReviewParked();

  const std::unique_ptr<WorldFile> file_;
  std::vector<CardAccounts> accounts_;
  std::vector<std::unique_ptr<CardData>> data_;
  const Exports exports_;
  Participant participant_;
  mutable std::mutex error_mutex_;
  std::string join_error_;
};

}  // namespace simgpu::world
