// What the flags said.
#pragma once

#include <cstdint>
#include <string>

namespace warpshare::app {

struct SchedulerOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 10'380;
  std::string certificate;  // files; all three empty: plain HTTP
  std::string key;
  std::string client_authorities;
  std::string kubeconfig;  // empty: the pod's service account
  std::string server;      // instead of both: an API server that asks nobody who they are
  std::string lease = "kube-system/warpshare-scheduler";
  bool is_alone = false;
  std::string identity;  // empty: the machine's name and our process id
  std::string log;       // empty: standard error
};

}  // namespace warpshare::app
