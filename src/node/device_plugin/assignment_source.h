// Port: the pods of this node as the cluster knows them, with what they ask for and what the
// scheduler gave them. Behind it is the API server, or a test.
#pragma once

#include <string>
#include <vector>

#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::node {

struct PodOnNode {
  // From its spec, which nobody can change. `pod_uid` is the one that the kubelet uses: of a static
  // pod, what its mirror says in kubernetes.io/config.mirror.
  request::Request request;
  // The annotation's text, which anybody who may edit the pod can change. Empty: there is none.
  std::string untrusted_assignment;
};

// Called from several threads. kNotFound: the cluster has no such pod on this node. kUnavailable:
// it cannot say now.
class AssignmentSource {
 public:
  virtual ~AssignmentSource() = default;

  virtual Result<PodOnNode> FindByUid(const std::string& pod_uid) = 0;
  virtual Result<PodOnNode> FindByName(const std::string& name_space, const std::string& name) = 0;

  // All that are bound to this node and have not ended, started or not.
  virtual Result<std::vector<PodOnNode>> Pods() = 0;
};

}  // namespace warpshare::node
