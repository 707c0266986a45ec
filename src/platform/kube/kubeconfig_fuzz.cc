// Whatever a kubeconfig says, what comes out has a server, or is an error.
#include <cstdint>
#include <cstdlib>

#include "platform/kube/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto config = warpshare::kube::ParseKubeconfig({{text, "/nonexistent"}});
  if (config && (config->host.empty() || config->port == 0)) std::abort();
  return 0;
}
