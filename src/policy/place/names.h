// Names and sizes as small numbers, given out in the order in which they are first seen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpshare::place {

// Models of cards. Never forgotten: a cluster knows some dozens.
class Models {
 public:
  uint16_t IdOf(std::string_view name);
  const std::string& Name(uint16_t id) const { return names_[id]; }
  size_t count() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
};

// Distinct sizes of cards' memories, in bytes.
class Kinds {
 public:
  uint16_t IdOf(uint64_t memory_total);
  uint64_t MemoryOf(uint16_t id) const { return totals_[id]; }
  size_t count() const { return totals_.size(); }

 private:
  std::vector<uint64_t> totals_;
};

}  // namespace warpshare::place
