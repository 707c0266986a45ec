// What an API server asks about new pods, and a cluster's cards, for tests.
#pragma once

#include <string>

#include "cluster/webhook/admission.h"

namespace warpshare::webhook {

struct FixedCards final : Cards {
  explicit FixedCards(admit::Inventory cards) : inventory(std::move(cards)) {}
  const admit::Inventory& Inventory() const override { return inventory; }
  bool MayHaveNvidiasPlugin() const override { return may_have_nvidias_plugin; }

  admit::Inventory inventory;
  bool may_have_nvidias_plugin = false;
};

// A pod with one container, `main`; `more` goes into it.
inline std::string PodWith(const std::string& limits, const std::string& more = "") {
  return R"({"metadata": {"generateName": "p-"}, "spec": {"containers": [{"name": "main",)"
         R"("resources": {"limits": )" +
         limits + "}" + more + "}]}}";
}

inline std::string Question(const std::string& pod) {
  return R"({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {
      "uid": "u1", "namespace": "team-a", "operation": "CREATE", "dryRun": false,
      "resource": {"group": "", "version": "v1", "resource": "pods"}, "object": )" +
         pod + "}}";
}

}  // namespace warpshare::webhook
