// Whatever a quantity says, thousandths are never less than a thousand times the units less one.
#include <cstdint>
#include <cstdlib>

#include "policy/request/quantity.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto units = warpshare::request::QuantityInUnits(text);
  const auto milli = warpshare::request::QuantityInMilli(text);
  if (milli && !units) std::abort();
  if (milli && (*milli + 999) / 1000 != *units && *milli <= UINT64_MAX - 999) std::abort();
  return 0;
}
