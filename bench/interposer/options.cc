#include "bench/interposer/options.h"

#include "bench/interposer/libraries.h"

namespace warpshare::bench {

bool Read(int count, char** words, Options& options) {
  options = {.drivers = {{"null", NullDriverFolder()}, {"cold", ColdDriverFolder()}},
             .only_turn = false,
             .only = {}};
  NamedDriver second = {"simgpu", SimgpuFolder()};
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const char* value = i + 1 < count ? words[i + 1] : nullptr;
    if (word == "--turn") {
      options.only_turn = true;
    } else if (word == "--null") {
      second.folder.clear();
    } else if (word == "--driver" && value != nullptr) {
      second = {words[++i], value};
    } else if (word == "--only" && value != nullptr) {
      options.only = words[++i];
    } else {
      return false;
    }
  }
  if (!second.folder.empty()) options.drivers.push_back(second);
  return true;
}

}  // namespace warpshare::bench
