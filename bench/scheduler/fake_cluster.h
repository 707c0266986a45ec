// A cluster that exists in the memory of a fake API server, which runs on a thread of its own:
// nodes of 8 cards, pods that are on them already, and pods that wait.
#pragma once

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::bench {

struct ClusterSize {
  uint32_t nodes = 100;
  uint32_t resident = 1'000;  // pods on nodes
  uint32_t waiting = 2'000;
};

class FakeCluster {
 public:
  explicit FakeCluster(const ClusterSize& size);
  ~FakeCluster();

  uint16_t port() const { return port_; }
  static std::string NodeName(uint32_t number) { return "n" + std::to_string(number); }
  // Waiting pods as the API server has them, in their order.
  const std::vector<std::string>& waiting() const { return waiting_; }

  // A pod like those that wait, and that nobody will ask about: the daemon learns from it what
  // comes.
  void Arrive();

  // What watches have been told need not be kept; it would be gone through for each change.
  void ForgetHistory();

 private:
  void Fill(const ClusterSize& size);

  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  uint16_t port_ = 0;
  std::vector<std::string> waiting_;
  uint32_t arrived_ = 0;
  std::thread thread_;
};

}  // namespace warpshare::bench
