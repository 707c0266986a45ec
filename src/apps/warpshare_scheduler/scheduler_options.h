// What the flags said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpshare::app {

struct AdmissionOptions {
  std::string webhook;  // the MutatingWebhookConfiguration; empty: no webhook
  std::string address = "::";
  uint16_t port = 8443;
  std::string secret = "warpshare-system/warpshare-webhook";
  std::vector<std::string> names = {"warpshare-webhook.warpshare-system.svc"};
  std::string scheduler;  // empty: pods keep theirs
  std::string nvidia_gpu = "auto";
  std::string quotas;  // NAMESPACE/NAME of a ConfigMap; empty: no limits
};

struct MetricsOptions {
  std::string address = "::";
  std::optional<uint16_t> port;  // none: metrics are served nowhere
};

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
  std::string beside;  // NAMESPACE/NAME of our kube-scheduler's Lease; empty: ours counts
  bool nominates_nothing = false;
  std::string identity;  // empty: the machine's name and our process id
  std::string log;       // empty: standard error
  AdmissionOptions admission;
  MetricsOptions metrics;
};

}  // namespace warpshare::app
