#include "simgpu/world/testing/consistency.h"

#include <vector>

#include "simgpu/world/layout/world_file.h"
#include "simgpu/world/memory/block_map.h"

namespace simgpu::world {
namespace {

class CardCheck {
 public:
  CardCheck(const SharedMap& map, int card) : map_(map), card_(card), charged_(kOrphans + 1) {}

  std::string Run() {
    const Section section(map_.memory(card_).guard);
    std::string problem = WalkExtents();
    return problem.empty() ? CompareAccounts() : problem;
  }

 private:
  std::string WalkExtents() {
    const uint64_t end = Get(map_.memory(card_).blocks_used);
    const Word* bits = map_.block_map(card_);
    if (NextTaken(bits, end, map_.blocks(card_)) != map_.blocks(card_))
      return "taken beyond the used blocks";
    for (uint64_t block = NextTaken(bits, 0, end); block < end;) {
      const ExtentRecord& extent = map_.record(card_, block);
      const uint64_t count = Get(extent.blocks);
      const uint64_t state = Get(extent.state);
      const std::string where = "block " + std::to_string(block) + ": ";
      if (state != kHeld && state != kParked && state != kDying)
        return where + "taken by no extent";
      for (uint64_t i = block; i < block + count; ++i) {
        if (NextTaken(bits, i, i + 1) != i) return where + "its extent is not all taken";
        if (i > block && Get(map_.record(card_, i).state) != kAbsent) return where + "two extents";
      }
      bool held = false;
      for (const Word& holders : extent.holders) held = held || Get(holders) != 0;
      if (held != (state == kHeld)) return where + "holders and state differ";
      if (state == kParked) ++parked_;
      if (state != kDying && Get(extent.kind) < kChargedKinds) {
        charged_[Get(extent.account)] += Get(extent.bytes);
      }
      block = NextTaken(bits, block + count, end);
    }
    if (parked_ != Get(map_.memory(card_).parked)) return "the count of parked extents is wrong";
    return "";
  }

  std::string CompareAccounts() {
    uint64_t sum = 0;
    for (uint32_t index = 0; index <= kOrphans; ++index) {
      uint64_t account = 0;
      for (const Word& line : map_.account(card_, index).by_kind) account += Get(line);
      if (account < charged_[index]) return "account " + std::to_string(index) + " is too low";
      if (index == kOrphans && account != charged_[index]) return "orphans' account is too high";
      sum += account;
    }
    if (sum != Get(map_.memory(card_).used)) return "the sum of accounts is not what is used";
    return "";
  }

  const SharedMap& map_;
  const int card_;
  std::vector<uint64_t> charged_;  // by extents, per account
  uint64_t parked_ = 0;
};

}  // namespace

std::string FindInconsistency(const std::string& directory) {
  std::string error;
  const auto file = WorldFile::Attach(directory, false, {}, &error);
  if (file == nullptr) return error;
  for (int card = 0; card < file->map().card_count(); ++card) {
    const std::string problem = CardCheck(file->map(), card).Run();
    if (!problem.empty()) return "card " + std::to_string(card) + ": " + problem;
  }
  return "";
}

}  // namespace simgpu::world
