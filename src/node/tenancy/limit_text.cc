#include "node/tenancy/limit_text.h"

namespace warpshare::node {

std::string LimitText(std::optional<Bytes> limit) { return limit ? Exact(*limit) : "no limit"; }

Result<void> CheckFits(MemoryAmount memory, uint32_t card_index, Bytes capacity) {
  if (capacity == Bytes(0) || memory.On(capacity) <= capacity) return {};
  return Fail(Errc::kInvalid, "card " + std::to_string(card_index) + " has " + Exact(capacity) +
                                  ", less than " + memory.Text() + ": ask for at most that");
}

}  // namespace warpshare::node
