// What a shared library says of itself, read from its file without loading it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/result.h"

namespace warpshare::platform {

struct ElfLibrary {
  std::string soname;                   // empty: it has none
  std::vector<std::string> note_names;  // owners of its ELF notes: "GNU", "warpshare"
};

// None when the bytes are no 64-bit little-endian ELF file; parts that do not hold together are
// left out.
std::optional<ElfLibrary> ParseElf(std::string_view bytes);

Result<ElfLibrary> ReadElfFile(const std::string& path);

}  // namespace warpshare::platform
