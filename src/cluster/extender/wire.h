// The bodies of kube-scheduler's extender API (k8s.io/kube-scheduler/extender/v1). Its Go types
// have no JSON tags: names of fields begin with a capital, and are read in any case.
//
// Reading: every text is untrusted, and views live as long as the document they look into. An error
// says which field of the body makes no sense.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/json/json.h"
#include "result/result.h"

namespace warpshare::cluster {

// Of Filter and Prioritize.
struct NodesArgs {
  json::View pod = {};
  std::vector<std::string_view> names = {};
  // Whole Node objects, in the order of `names`: the caller keeps no names for us (nodeCacheCapable
  // is false), or asks about nodes that do not exist (autoscalers). Empty: it sent names alone.
  std::vector<json::View> nodes = {};
  bool has_nodes = false;
};
Result<NodesArgs> ReadNodesArgs(json::View body);

struct BindArgs {
  std::string pod_name;
  std::string pod_namespace;
  std::string pod_uid;
  std::string node;
};
Result<BindArgs> ReadBindArgs(json::View body);

struct Victims {
  std::string node = {};
  std::vector<std::string> uids = {};
  int64_t disruption_violations = 0;
};
struct PreemptArgs {
  json::View pod = {};
  std::vector<Victims> nodes = {};
};
// With victims as whole pods or by uid.
Result<PreemptArgs> ReadPreemptArgs(json::View body);

using NodeReason = std::pair<std::string_view, std::string_view>;

struct FilterResult {
  std::vector<uint32_t> passed;    // places in the names that were asked for
  std::vector<NodeReason> failed;  // something may free up there
  std::vector<NodeReason> never;   // nothing will, whoever makes room
};
std::string FilterText(const NodesArgs& asked, const FilterResult& result);

struct HostScore {
  std::string_view host;
  int64_t score;
};
inline constexpr int64_t kMaxScore = 10;  // kube-scheduler's MaxExtenderPriority
std::string ScoresText(const std::vector<HostScore>& scores);

std::string PreemptText(const std::vector<Victims>& nodes);

// A FilterResult or BindResult with nothing but an error; "" is success of a Bind.
std::string ErrorText(std::string_view error);

}  // namespace warpshare::cluster
