// What the libraries cost a process that never calls CUDA.
#pragma once

#include <string_view>

namespace warpshare::bench {

// In the environment that `warpshare run` makes: for a program that does not load the driver, for
// one that is linked with it, and with --preload. Prints a line each; `only`: see Setup.
void MeasureProcessStart(std::string_view only);

}  // namespace warpshare::bench
