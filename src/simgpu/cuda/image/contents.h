// What a device image says is in it: the names of its kernels, and its variables.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace simgpu::cuda {

struct Variable {
  size_t bytes = 0;
  std::vector<std::byte> value;  // empty: zeros; else as many as `bytes`
};

using Variables = std::map<std::string, Variable>;

struct ImageContents {
  std::set<std::string> kernels;
  Variables variables;
};

// A larger variable has no value here: a text of some bytes could ask for any amount.
constexpr size_t kMostValueBytes = size_t{2} << 20;

}  // namespace simgpu::cuda
