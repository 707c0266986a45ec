// Bytes as text, the way JSON carries them (RFC 4648, with padding): Secrets, patches, authorities.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpshare {

std::string ToBase64(std::string_view bytes);

// None for what ToBase64 would not have written, but that spaces and line ends are passed over.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace warpshare
