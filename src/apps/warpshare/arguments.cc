#include "apps/warpshare/arguments.h"

#include "types/printable.h"

namespace warpshare::app {

Result<MemoryAmount> ReadMemory(const std::string& text) {
  if (const auto memory = ParseMemoryAmount(text)) return *memory;
  return Fail(Errc::kInvalid,
              "bad --memory '" + Printable(text) +
                  "': write a size such as 4GiB or 512MiB, or a share of the card such "
                  "as 50%");
}

Result<TenantName> ReadTenantName(const std::string& text) {
  if (const auto name = ParseTenantName(text)) return *name;
  return Fail(Errc::kInvalid, "bad tenant name '" + Printable(text) +
                                  "': use up to 63 letters, digits, '.', '_' and '-', the first a "
                                  "letter or digit");
}

}  // namespace warpshare::app
