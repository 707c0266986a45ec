// The thread that talks with the API server for this node (README.md).
#pragma once

#include <memory>
#include <thread>

#include "node/cluster_link/announcer.h"
#include "node/cluster_link/node_pods.h"
#include "node/cluster_link/pod_writer.h"

namespace warpshare::node {

class ClusterLink {
 public:
  struct Setup {
    kube::Config config;
    Announcer::Setup node;
    std::chrono::milliseconds patience{3'000};  // node_pods.h; the kubelet waits for the answer
  };
  // Does not wait for the API server. `log` takes lines from several threads and outlives this.
  static Result<std::unique_ptr<ClusterLink>> Open(Setup setup, platform::Log& log);
  ~ClusterLink();
  ClusterLink(const ClusterLink&) = delete;
  ClusterLink& operator=(const ClusterLink&) = delete;

  AssignmentSource& pods() { return pods_; }
  PodVoice& voice() { return *writer_; }

 private:
  ClusterLink(const Setup& setup, platform::Log& log) : log_(log), pods_(setup.patience) {}
  void WatchPods(const std::string& node_name);

  platform::Log& log_;
  NodePods pods_;
  platform::EventLoop loop_;
  std::unique_ptr<kube::Client> client_;
  std::unique_ptr<PodWriter> writer_;
  std::unique_ptr<Announcer> announcer_;
  std::unique_ptr<kube::Informer> informer_;
  std::thread thread_;
};

}  // namespace warpshare::node
