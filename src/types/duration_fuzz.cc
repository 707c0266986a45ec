// Whatever the text, what is read is printed and read back the same.
#include <cstdint>
#include <cstdlib>

#include "types/duration.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto duration = warpshare::ParseDuration({reinterpret_cast<const char*>(data), size});
  if (!duration) return 0;
  if (warpshare::ParseDuration(warpshare::Exact(*duration)) != duration) std::abort();
  if (!warpshare::ParseDuration(warpshare::Rounded(*duration))) std::abort();
  return 0;
}
