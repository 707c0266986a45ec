// Port: what the node says about a pod of its own to the cluster. Behind it is the API server.
#pragma once

#include <string>

#include "node/device_plugin/assignment_source.h"

namespace warpshare::node {

// Called from any thread; nobody waits for what becomes of it.
class PodVoice {
 public:
  virtual ~PodVoice() = default;

  // What the pod was given, unless the pod was changed since `pod` was read.
  virtual void WriteAssignment(const PodOnNode& pod, const std::string& text) = 0;

  // A warning, for `kubectl describe`. `reason` is one word.
  virtual void Warn(const PodOnNode& pod, const std::string& reason,
                    const std::string& message) = 0;
};

// Where there is no API server.
class NoVoice final : public PodVoice {
 public:
  void WriteAssignment(const PodOnNode&, const std::string&) override {}
  void Warn(const PodOnNode&, const std::string&, const std::string&) override {}
};

}  // namespace warpshare::node
