// The libraries that take part, found beside this program: bin/bench_interposer, lib/...
#pragma once

#include <string>

namespace warpshare::bench {

std::string InterposerFolder();
std::string SimgpuFolder();
std::string NullDriverFolder();
std::string ColdDriverFolder();
std::string EmptyFolder();  // of libempty_1.so and libempty_2.so

}  // namespace warpshare::bench
