#include "types/printable.h"

namespace warpshare {

std::string Printable(std::string_view untrusted_text, size_t max_length) {
  std::string shown(untrusted_text.substr(0, untrusted_text.find('\0')).substr(0, max_length));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return shown;
}

}  // namespace warpshare
