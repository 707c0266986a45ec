// Does something that may crash, hang or print, such as loading a stranger's library, in a child.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "result/result.h"

namespace warpshare::platform {

// What `probe` returned, in a child without standard output and error. An error says how the child
// ended instead: "crashed (Segmentation fault)", "did not answer within 10 s". A probe that is
// still running after `limit` is killed.
Result<std::string> RunIsolated(const std::function<std::string()>& probe,
                                std::chrono::milliseconds limit);

}  // namespace warpshare::platform
