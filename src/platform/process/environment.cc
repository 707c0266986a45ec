#include "platform/process/environment.h"

#include <cstdlib>

namespace warpshare::platform {

void Change(const EnvironmentChanges& changes) {
  for (const auto& [name, value] : changes) {
    if (value)
      setenv(name.c_str(), value->c_str(), 1);
    else
      unsetenv(name.c_str());
  }
}

}  // namespace warpshare::platform
