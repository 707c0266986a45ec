// Port: the pods of this node as the cluster knows them, with what they ask for and what the
// scheduler gave them. Behind it is the API server, or a test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "node/device_plugin/given_back.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::node {

struct PodOnNode {
  // What it asks for now, by its spec and annotations; by the spec alone if `bad_wish` says that an
  // annotation makes no sense. `pod_uid` is the one that the kubelet uses: of a static pod, what
  // its mirror says in kubernetes.io/config.mirror.
  request::Request request;
  std::string node = {};  // this one
  // The annotation's text, which anybody who may edit the pod can change. Empty: there is none.
  std::string untrusted_assignment = {};
  std::optional<Error> bad_wish = {};
  GivenBack given_back = {};
  // Of its object, for who writes to it.
  std::string object_uid = {};
  std::string version = {};
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

  // Another number whenever a pod may have changed since. 0: nothing is known yet. Never waits.
  virtual uint64_t changes() = 0;
};

}  // namespace warpshare::node
