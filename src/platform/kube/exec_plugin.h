// Users whom a program proves: what clouds give out (aws, gke-gcloud-auth-plugin, kubelogin). The
// kubeconfig names it (`exec`); it prints an ExecCredential, a token or a certificate that is good
// for some minutes. It is run once: for programs that end before that.
//
// What goes in is the environment variable KUBERNETES_EXEC_INFO; what it writes to its standard
// error the user sees, and it may ask on the terminal.
#pragma once

#include <string>
#include <string_view>

#include "platform/kube/config.h"

namespace warpshare::kube {

// Runs `config.exec` and puts what it gave in its place. Waits as long as the program runs.
Result<void> RunExecPlugin(Config& config);

// What KUBERNETES_EXEC_INFO says to the program of `config.exec`.
std::string ExecInfo(const Config& config, bool is_interactive);

// Takes what such a program printed.
Result<void> UseExecCredential(Config& config, std::string_view printed);

}  // namespace warpshare::kube
