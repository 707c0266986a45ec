// What an array takes of the card. The driver lays arrays out in a way it does not tell, but it
// tells how much memory would have to be mapped behind an array that has none yet ("deferred
// mapping"): so before an array is made, one like it without memory is made, asked and destroyed.
// Where the driver cannot do that, the size is that of the elements.
#pragma once

#include <cstdint>

#include "abi/driver/cuda_types.h"

namespace warpshare::interposer {

// A word loaded by itself. Descriptors are written word by word just before they are read, and a
// load of several words that are not in the cache yet waits until all are, some ten nanoseconds.
template <typename Word>
Word LoadAlone(const Word& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

struct ArrayShape {
  CUDA_ARRAY3D_DESCRIPTOR descriptor;
  unsigned int levels;  // 0: an array; else a mipmapped array
};

// Arrays whose memory the program maps itself take nothing when they are made.
inline bool HasOwnMemory(const ArrayShape& shape) {
  return (shape.descriptor.Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING)) == 0;
}

// Of the elements of all levels; pure. 0 for what no driver accepts; UINT64_MAX for too much.
uint64_t ElementBytes(const ArrayShape& shape);

// What no driver needs less for: ElementBytes, or 0 of a format that is not known here.
uint64_t LeastBytes(const ArrayShape& shape);

// Asks the driver; 0 if that does not answer. Then ElementBytes must do.
uint64_t AskArrayBytes(const ArrayShape& shape, CUdevice device);

}  // namespace warpshare::interposer
