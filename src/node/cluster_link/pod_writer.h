// What the node says of its pods, written to the API server.
//
// Threads: the port's calls from any; the rest is on the client's loop.
#pragma once

#include <string>

#include "node/device_plugin/pod_voice.h"
#include "platform/kube/client.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

class PodWriter final : public PodVoice {
 public:
  // `client` and `log` outlive its loop's run.
  PodWriter(kube::Client& client, platform::Log& log) : client_(client), log_(log) {}

  void WriteAssignment(const PodOnNode& pod, const std::string& text) override;
  void Warn(const PodOnNode& pod, const std::string& reason, const std::string& message) override;

 private:
  kube::Client& client_;
  platform::Log& log_;
};

}  // namespace warpshare::node
