// How every command of the program fails: one line, "warpshare: <what>: <mend>", and an exit code.
#pragma once

#include <string_view>

#include "result/error.h"

namespace warpshare::app {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;          // the words of the command line make no sense
inline constexpr int kNotRunnable = 126;  // as a shell has them
inline constexpr int kNotFound = 127;

// Writes the line to standard error.
void Complain(std::string_view message);

// Writes the error and returns the exit code that goes with it.
int ExitWith(const Error& error);
int ExitUsage(std::string_view message);

// The exit code of a program that ends: this one, or a failure where not all that was printed could
// be written, which is said.
int WithOutput(int exit_code);

}  // namespace warpshare::app
