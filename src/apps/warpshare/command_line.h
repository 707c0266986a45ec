// The words that the program takes, in one place: parsing, help and shell completion come from it.
#pragma once

#include <functional>

namespace warpshare::app {

// What is to be done: call it for the exit code. Help, version and errors in the words are done
// when it returns.
std::function<int()> ReadCommandLine(int argc, char** argv);

}  // namespace warpshare::app
