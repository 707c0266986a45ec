// Result<T>: a value, or the Error that kept it from being made.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "result/error.h"

namespace warpshare {

template <typename T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

inline Failure Fail(Errc code, std::string message) {
  return Failure(Error{code, std::move(message)});
}

inline Failure Fail(Error error) { return Failure(std::move(error)); }

// Passes an error on from a Result of another type: `if (!size) return Forward(size);`
template <typename T>
Failure Forward(Result<T>& failed) {
  return Failure(std::move(failed.error()));
}

}  // namespace warpshare
