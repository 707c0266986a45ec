// One thing that `warpshare doctor` looked at.
#pragma once

#include <cstdint>
#include <string>

namespace warpshare::app {

enum class Health : uint8_t {
  kFine,
  kOdd,     // works, but should be looked at
  kBroken,  // a tenant cannot run, or would have no limits
};

struct Check {
  std::string name;
  Health health;
  std::string finding;
  std::string mend;  // empty when there is nothing to do
};

}  // namespace warpshare::app
