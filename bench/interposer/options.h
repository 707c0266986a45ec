// What to measure, by the program's arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpshare::bench {

struct NamedDriver {
  std::string name;
  std::string folder;
};

struct Options {
  std::vector<NamedDriver> drivers;
  bool only_turn;
  std::string_view only;  // cases whose name has this in it; empty: all
};

// False: not to be understood.
bool Read(int count, char** words, Options& options);

}  // namespace warpshare::bench
