// First values of PTX variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simgpu/cuda/image/contents.h"
#include "simgpu/cuda/image/ptx_words.h"

namespace simgpu::cuda {

struct PtxType {
  size_t bytes = 0;
  bool is_float = false;
};

// None: no plain number, or none of that type.
std::optional<uint64_t> PtxNumber(std::string_view word, const PtxType& type);

// A variable's dimensions from the outermost to the innermost; those of a vector are the last. The
// first may be 0: as many as the value has.
struct PtxShape {
  PtxType type;
  std::vector<size_t> dimensions;
};

// None: its size is not known.
std::optional<Variable> PtxZeros(const PtxShape& shape);

// Reads what is behind a '='. None: it does not have that shape.
std::optional<Variable> PtxValue(const PtxShape& shape, PtxWords* words);

}  // namespace simgpu::cuda
