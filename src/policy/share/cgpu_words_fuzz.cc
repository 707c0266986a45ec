// Whatever a container's settings say, what comes out are terms that hold, or an error.
#include <cstdlib>
#include <cstring>

#include "policy/share/cgpu_words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpshare::share::CgpuSettings settings;
  if (size < sizeof(settings)) return 0;
  std::memcpy(&settings, data, sizeof(settings));
  const std::string_view word(reinterpret_cast<const char*>(data) + sizeof(settings),
                              size - sizeof(settings));
  const auto terms = warpshare::share::TermsOfCgpuPolicy(word, settings);
  if (terms && !warpshare::share::Validate(*terms)) std::abort();
  return 0;
}
