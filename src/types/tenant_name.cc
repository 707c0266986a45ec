#include "types/tenant_name.h"

namespace warpshare {

namespace {

constexpr bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::optional<TenantName> ParseTenantName(std::string_view text) {
  if (text.empty() || text.size() > TenantName::kMaxLength || !IsLetterOrDigit(text[0]))
    return std::nullopt;
  for (const char c : text)
    if (!IsLetterOrDigit(c) && c != '.' && c != '_' && c != '-') return std::nullopt;
  return TenantName(text);
}

}  // namespace warpshare
