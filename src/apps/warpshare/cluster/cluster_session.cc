#include "apps/warpshare/cluster/cluster_session.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "platform/kube/config.h"
#include "platform/terminal/terminal.h"

namespace warpshare::app {

namespace {

// Shorter than this, a line that comes and goes only flickers.
constexpr std::chrono::milliseconds kPatience{700};

// One line on standard error that is written again and again, and gone in the end.
class ProgressLine {
 public:
  void Show(const report::Progress& progress) {
    if (!is_terminal_ || std::chrono::steady_clock::now() - began_ < kPatience) return;
    is_shown_ = true;
    std::fprintf(stderr, "\r\x1b[Kreading: %zu nodes, %zu pods", progress.nodes, progress.pods);
  }
  ~ProgressLine() {
    if (is_shown_) std::fputs("\r\x1b[K", stderr);
  }

 private:
  const bool is_terminal_ = platform::IsTerminal(STDERR_FILENO);
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool is_shown_ = false;
};

Result<kube::Config> ConfigOf(const ClusterOptions& options) {
  if (options.server.empty()) return kube::FindConfig(options.kubeconfig, options.context);
  kube::Config config;
  if (auto used = kube::UseServer(config, options.server); !used) return Forward(used);
  return config;
}

}  // namespace

Result<std::unique_ptr<ClusterSession>> ClusterSession::Open(const ClusterOptions& options) {
  auto config = ConfigOf(options);
  if (!config) return Forward(config);
  std::unique_ptr<ClusterSession> session(new ClusterSession);
  session->space_ = options.space.empty() ? config->space : options.space;
  auto client =
      kube::Client::Make(session->loop_, {.config = std::move(*config), .agent = "warpshare-cli"});
  if (!client) return Forward(client);
  session->client_ = std::move(*client);
  return session;
}

Result<report::Gaps> ClusterSession::Read(const report::Scope& scope, report::Survey& survey) {
  ProgressLine line;
  return report::ReadSurvey(*client_, scope, survey,
                            [&line](const report::Progress& progress) { line.Show(progress); });
}

}  // namespace warpshare::app
