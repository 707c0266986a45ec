#include "policy/place/names.h"

#include <algorithm>

namespace warpshare::place {

namespace {

template <typename Value, typename Key>
uint16_t FindOrAppend(std::vector<Value>& values, const Key& key) {
  const auto found = std::find(values.begin(), values.end(), key);
  const auto id = static_cast<uint16_t>(found - values.begin());
  if (found == values.end()) values.emplace_back(key);
  return id;
}

}  // namespace

uint16_t Models::IdOf(std::string_view name) { return FindOrAppend(names_, name); }

uint16_t Kinds::IdOf(uint64_t memory_total) { return FindOrAppend(totals_, memory_total); }

}  // namespace warpshare::place
