// The pods of this node from a file: a PodList in JSON, as `kubectl get pods -A -o json` prints it,
// kept up to date by somebody else. For nodes whose daemon may not ask the API server, and to look
// at one by hand; read anew whenever it is asked.
#pragma once

#include <string>

#include "node/device_plugin/assignment_source.h"

namespace warpshare::node {

class PodsFile final : public AssignmentSource {
 public:
  PodsFile(std::string path, std::string node_name)
      : path_(std::move(path)), node_name_(std::move(node_name)) {}

  Result<PodOnNode> FindByUid(const std::string& pod_uid) override;
  Result<PodOnNode> FindByName(const std::string& name_space, const std::string& name) override;
  // Pods whose request makes no sense are left out.
  Result<std::vector<PodOnNode>> Pods() override;
  uint64_t changes() override;

 private:
  const std::string path_;
  const std::string node_name_;
};

}  // namespace warpshare::node
