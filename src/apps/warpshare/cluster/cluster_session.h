// A connection to the cluster that the command line means.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "apps/warpshare/options.h"
#include "cluster/report/survey_reader.h"
#include "platform/event_loop/event_loop.h"
#include "platform/kube/client.h"

namespace warpshare::app {

class ClusterSession {
 public:
  static Result<std::unique_ptr<ClusterSession>> Open(const ClusterOptions& options);

  kube::Client& client() { return *client_; }
  // The one named, or the context's own.
  const std::string& space() const { return space_; }

  // Says on a terminal how far it is, when it takes long.
  Result<report::Gaps> Read(const report::Scope& scope, report::Survey& survey);

 private:
  ClusterSession() = default;

  platform::EventLoop loop_;
  std::unique_ptr<kube::Client> client_;
  std::string space_;
};

}  // namespace warpshare::app
