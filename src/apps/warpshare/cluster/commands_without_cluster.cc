// The two commands in a build that has no HTTP, TLS or JSON library.
#include "apps/warpshare/cluster/explain_command.h"
#include "apps/warpshare/cluster/inspect_command.h"
#include "apps/warpshare/complaint.h"

namespace warpshare::app {

namespace {

int Refuse(const char* command) {
  return ExitWith({Errc::kUnavailable,
                   std::string(command) +
                       ": this warpshare was built without Kubernetes (WARPSHARE_LEAN): use one "
                       "from a full build, or its image"});
}

}  // namespace

int Inspect(const InspectOptions&) { return Refuse("inspect"); }
int Explain(const ExplainOptions&) { return Refuse("explain"); }

}  // namespace warpshare::app
