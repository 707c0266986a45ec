// warpshare completion: a script that teaches a shell the words of this program.
#pragma once

#include <optional>
#include <string>

#include "apps/warpshare/completion_model.h"

namespace warpshare::app {

// For "bash", "zsh" or "fish". Tenant names after `set` are asked of the program as they are
// needed; after `run --`, and where no option fits, the shell completes commands and files.
std::optional<std::string> CompletionScript(const CommandModel& program, const std::string& shell);

}  // namespace warpshare::app
