// What went wrong outside of the program: a code to act on and one sentence to read.
//
// The sentence is "<what>: <mend>": it names the thing and says what to do, without a capital or a
// full stop, since it is printed after "warpshare: ".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpshare {

enum class Errc : uint8_t {
  kInvalid,      // the request makes no sense as it stands
  kNotFound,     // the thing named is not there
  kPermission,   // the system does not let us
  kConflict,     // it disagrees with what is there already
  kUnavailable,  // not now; trying again may help
  kCorrupt,      // bytes from outside that do not hold together
  kSystem,       // any other failure of a system call
  kNotRunnable,  // a program that is there but cannot be executed
};

struct Error {
  Errc code;
  std::string message;
};

// "<what>: <the system's words>", with the code that fits `errno_value`.
Error SystemError(std::string_view what, int errno_value);

}  // namespace warpshare
