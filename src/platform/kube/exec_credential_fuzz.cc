// Whatever a program prints, a user is proven by something or there is an error.
#include <cstdint>
#include <cstdlib>

#include "platform/kube/exec_plugin.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpshare::kube::Config config;
  config.exec.emplace().api_version = "client.authentication.k8s.io/v1";
  const std::string_view printed(reinterpret_cast<const char*>(data), size);
  if (warpshare::kube::UseExecCredential(config, printed) && config.token.empty() &&
      config.identity.key.empty()) {
    std::abort();
  }
  return 0;
}
