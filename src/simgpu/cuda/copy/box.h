// Copies and fills of boxes of bytes: rows of `width` bytes, `height` rows a slice, `depth` slices,
// each side with its own pitches. Pure: no driver, no locks. One- and two-dimensional copies are
// boxes of height or depth 1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simgpu::cuda {

struct BoxExtent {
  size_t width = 0;  // in bytes
  size_t height = 1;
  size_t depth = 1;

  size_t bytes() const { return width * height * depth; }
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

// Where a box begins and how far apart its rows and slices are. With one row, the pitches mean
// nothing.
struct BoxView {
  std::byte* at = nullptr;
  size_t row_pitch = 0;
  size_t slice_pitch = 0;
};

// How far byte x of row y of slice z is from `at`. False when it overflows.
bool OffsetIn(const BoxView& view, size_t x, size_t y, size_t z, size_t* offset);

// How many bytes from `at` to the end of the last row; 0 when empty. False when it overflows.
bool SpanOf(const BoxView& view, const BoxExtent& extent, size_t* span);

// Overlapping one-dimensional copies are moved as memmove does; of more dimensions, the result of
// an overlap is undefined, as on the card.
void CopyBox(const BoxView& to, const BoxView& from, const BoxExtent& extent);

// Fills with a pattern of 1, 2 or 4 bytes; extent.width is a multiple of it.
void FillBox(const BoxView& to, const BoxExtent& extent, uint32_t value, unsigned element_bytes);

}  // namespace simgpu::cuda
