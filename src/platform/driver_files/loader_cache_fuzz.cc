#include <cstdint>
#include <cstdlib>

#include "platform/driver_files/loader_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view cache(reinterpret_cast<const char*>(data), size);
  for (const std::string& path : warpshare::platform::FindInLoaderCache(cache, "libcuda.so.1"))
    if (!path.starts_with('/')) std::abort();
  return 0;
}
