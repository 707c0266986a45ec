// The name of a tenant. It becomes a folder's name and is printed on terminals, so it is checked
// once, here: letters, digits, '.', '_' and '-', beginning with a letter or digit.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace warpshare {

class TenantName {
 public:
  static constexpr size_t kMaxLength = 63;  // with its NUL it fills the limits page's field

  const std::string& text() const { return text_; }
  auto operator<=>(const TenantName&) const = default;

 private:
  explicit TenantName(std::string_view text) : text_(text) {}
  friend std::optional<TenantName> ParseTenantName(std::string_view text);

  std::string text_;
};

std::optional<TenantName> ParseTenantName(std::string_view text);

}  // namespace warpshare
