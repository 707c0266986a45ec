// Text from outside, made fit to be shown: a tenant can write escape sequences where a name should
// be.
#pragma once

#include <string>
#include <string_view>

namespace warpshare {

// Printable ASCII as it is; every other byte becomes '?'. Ends at the first NUL, or after
// `max_length` bytes.
std::string Printable(std::string_view untrusted_text, size_t max_length = 256);

}  // namespace warpshare
