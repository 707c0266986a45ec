// What a process is to have in its environment other than it has.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpshare::platform {

// Variables and their values; one without a value is taken out.
using EnvironmentChanges = std::vector<std::pair<std::string, std::optional<std::string>>>;

// To our own. From a program of one thread only.
void Change(const EnvironmentChanges& changes);

}  // namespace warpshare::platform
