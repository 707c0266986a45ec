// The objects that deploy/ brings for a webhook, on a fake API server.
#pragma once

#include <string>

#include "cluster/webhook/certificate_keeper.h"
#include "platform/kube/fake/kube_test.h"
#include "types/base64.h"

namespace warpshare::webhook {

inline const kube::ObjectName kSecret{"warpshare-system", "warpshare-webhook"};
inline const kube::ObjectName kConfiguration{"", "warpshare"};

inline KeeperOptions TestKeeper() {
  return {.secret = kSecret,
          .configuration = kConfiguration.name,
          .wanted = {.names = {"localhost"},
                     .lives = {.authority = std::chrono::hours(900),
                               .serving = std::chrono::hours(90),
                               .overlap = std::chrono::hours(10),
                               .backdate = std::chrono::hours(1)}}};
}

class WebhookClusterTest : public kube::KubeTest {
 protected:
  void CreateSecret() {
    server_.Create(
        kube::kSecrets, kSecret.space,
        R"({"metadata": {"namespace": "warpshare-system", "name": "warpshare-webhook"}})");
  }
  void CreateConfiguration() {
    server_.Create(kube::kMutatingWebhooks, "",
                   R"({"metadata": {"name": "warpshare"}, "webhooks": [
                       {"name": "pods.warpshare.io", "clientConfig": {}}]})");
  }

  // What the API server would believe; "" before anybody told it.
  std::string Bundle() const {
    const std::string text = server_.Get(kube::kMutatingWebhooks, kConfiguration);
    const auto object = json::Document::Parse(text.empty() ? "{}" : text);
    return FromBase64((*object)["webhooks"][0]["clientConfig"]["caBundle"].StringOr("")).value();
  }
  std::string InSecret(const char* file) const {
    const auto object = json::Document::Parse(server_.Get(kube::kSecrets, kSecret));
    return FromBase64((*object)["data"][file].StringOr("")).value();
  }
};

}  // namespace warpshare::webhook
