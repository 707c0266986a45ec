// What the command line said, as it was said: the commands read sizes, names and cards themselves,
// so that an error can name the thing.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpshare::app {

struct ComputeWords {
  std::optional<std::string> cores = {};
  std::optional<std::string> policy = {};
  std::optional<std::string> weight = {};
  std::optional<std::string> priority = {};
  std::optional<std::string> burst = {};
  std::optional<std::string> latency_target = {};
};

struct RunOptions {
  std::vector<std::string> cards;  // --gpu, each an index or a uuid
  std::optional<std::string> memory;
  ComputeWords compute;
  std::optional<std::string> name;
  bool simulated = false;
  bool preload = false;
  std::vector<std::string> command;
};

struct PsOptions {
  bool json = false;
  bool names_only = false;
};

struct TopOptions {
  bool json = false;
  bool once = false;
  std::optional<double> interval_seconds;
};

struct SetOptions {
  std::string name;
  std::optional<std::string> memory;
  ComputeWords compute;
  std::optional<std::string> card;
};

// What all commands that look at a Kubernetes cluster take.
struct ClusterOptions {
  std::string kubeconfig;  // empty: as kubectl finds it
  std::string context;     // empty: the current one
  std::string server;      // instead of both: an API server that asks nobody who they are
  std::string space;       // namespace; empty: not said
  std::string output;      // "", "wide" or "json"
};

struct InspectOptions {
  ClusterOptions cluster;
  std::string what = "nodes";  // or "cards" or "pods"
  std::string node;            // this one only
};

struct ExplainOptions {
  ClusterOptions cluster;
  std::string pod;
  std::string quotas = "warpshare-system/warpshare-quota";  // NAMESPACE/NAME; empty: none
};

struct DoctorOptions {
  bool json = false;
  bool simulated = false;
};

}  // namespace warpshare::app
