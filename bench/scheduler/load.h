// What kube-scheduler does to an extender: for one pod after the other Filter of all nodes,
// Prioritize of those that passed, and Bind to the best, which it does not wait for before it goes
// on to the next pod.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/scheduler/daemon.h"
#include "platform/http/client.h"

namespace warpshare::bench {

struct FilterTime {
  uint32_t pod = 0;    // its place among all
  double took_ms = 0;  // from the first byte sent to the answer
  DaemonTime daemon;   // meanwhile
};

struct LoadFigures {
  std::vector<double> floor_ms;  // a request that asks for nothing
  std::vector<FilterTime> filters;
  std::vector<double> prioritize_ms;
  uint32_t bound = 0;
  uint32_t refused = 0;  // by Bind
  uint32_t nowhere = 0;  // no node passed
  double seconds = 0;    // of all pods, floor left out
  double daemon_ms = 0;  // that it ran meanwhile
};

class Load {
 public:
  Load(platform::EventLoop& loop, const SchedulerProcess& daemon);

  // False when it does not come to that within `limit`.
  bool WaitUntilReady(std::chrono::seconds limit);

  // `each` is called after each pod with their number.
  LoadFigures Run(const std::vector<std::string>& nodes, const std::vector<std::string>& pods,
                  const std::function<void(uint32_t)>& each);

 private:
  struct Answer {
    unsigned status = 0;  // 0: none
    std::string body;
    double milliseconds = 0;
  };
  Answer Ask(const std::string& method, const std::string& target, std::string body);
  Answer AskFilter(const std::string& body, LoadFigures& figures);
  void Place(const std::string& pod, const std::string& all_names, LoadFigures& figures);
  void Bind(const std::string& pod, const std::string& node, LoadFigures& figures);

  platform::EventLoop& loop_;
  const SchedulerProcess& daemon_;
  std::unique_ptr<http::Client> verbs_;
  std::unique_ptr<http::Client> binds_;
  std::map<uint64_t, http::Call> calls_;
  uint64_t last_call_ = 0;
};

}  // namespace warpshare::bench
