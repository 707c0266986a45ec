// What another program prints.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "result/result.h"

namespace warpshare::kube {

struct ProgramCall {
  std::string program;  // a name to look for in PATH, or a path
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // beside ours
  bool reads_input;  // from our standard input; else it finds that at its end
};

// Its standard output, of 1 MiB at most; its standard error is ours. An error if it cannot be
// started, or ends with another code than 0. Waits for it; any thread.
Result<std::string> OutputOf(const ProgramCall& call);

}  // namespace warpshare::kube
