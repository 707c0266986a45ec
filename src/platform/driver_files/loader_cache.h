// The loader's cache of library paths, /etc/ld.so.cache, which ldconfig writes.
//
// Two forms exist. The new one ("glibc-ld.so.cache1.1") is what every glibc since 2.2 reads; a file
// may begin with the old one ("ld.so-1.7.0") and carry the new one behind it. Only the new one is
// read here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpshare::platform {

inline constexpr char kLoaderCache[] = "/etc/ld.so.cache";

// Paths under which a 64-bit library of that name is known, in the cache's order. A broken cache
// has fewer.
std::vector<std::string> FindInLoaderCache(std::string_view cache, std::string_view soname);

}  // namespace warpshare::platform
