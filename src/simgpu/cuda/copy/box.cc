#include "simgpu/cuda/copy/box.h"

#include <cstring>

namespace simgpu::cuda {
namespace {

// Rows that lie end to end are one long row, and slices likewise: fewer and larger moves.
void Merge(BoxExtent* extent, size_t row_pitch_a, size_t row_pitch_b, size_t slice_pitch_a,
           size_t slice_pitch_b) {
  if (extent->height == 1 || (row_pitch_a == extent->width && row_pitch_b == extent->width)) {
    const size_t slice = extent->width * extent->height;
    if (extent->depth == 1 || (slice_pitch_a == slice && slice_pitch_b == slice)) {
      *extent = {.width = slice * extent->depth};
    } else if (extent->height != 1) {
      *extent = {.width = slice, .height = 1, .depth = extent->depth};
    }
  }
}

void FillRow(std::byte* to, size_t bytes, uint32_t value, unsigned element_bytes) {
  if (element_bytes == 1) {
    std::memset(to, static_cast<int>(value & 0xff), bytes);
    return;
  }
  // Doubling what is filled already keeps the work in memcpy, whatever the pattern.
  size_t filled = element_bytes < bytes ? element_bytes : bytes;
  std::memcpy(to, &value, filled);
  while (filled < bytes) {
    const size_t next = filled < bytes - filled ? filled : bytes - filled;
    std::memcpy(to + filled, to, next);
    filled += next;
  }
}

}  // namespace

bool OffsetIn(const BoxView& view, size_t x, size_t y, size_t z, size_t* offset) {
  size_t rows = 0;
  size_t slices = 0;
  return !__builtin_mul_overflow(y, view.row_pitch, &rows) &&
         !__builtin_mul_overflow(z, view.slice_pitch, &slices) &&
         !__builtin_add_overflow(rows, slices, &rows) && !__builtin_add_overflow(rows, x, offset);
}

bool SpanOf(const BoxView& view, const BoxExtent& extent, size_t* span) {
  *span = 0;
  return extent.empty() || OffsetIn(view, extent.width, extent.height - 1, extent.depth - 1, span);
}

void CopyBox(const BoxView& to, const BoxView& from, const BoxExtent& extent) {
  if (extent.empty()) return;
  BoxExtent merged = extent;
  Merge(&merged, to.row_pitch, from.row_pitch, to.slice_pitch, from.slice_pitch);
  for (size_t z = 0; z < merged.depth; z++) {
    std::byte* to_row = to.at + z * to.slice_pitch;
    const std::byte* from_row = from.at + z * from.slice_pitch;
    for (size_t y = 0; y < merged.height; y++) {
      std::memmove(to_row, from_row, merged.width);
      to_row += to.row_pitch;
      from_row += from.row_pitch;
    }
  }
}

void FillBox(const BoxView& to, const BoxExtent& extent, uint32_t value, unsigned element_bytes) {
  if (extent.empty()) return;
  BoxExtent merged = extent;
  Merge(&merged, to.row_pitch, to.row_pitch, to.slice_pitch, to.slice_pitch);
  for (size_t z = 0; z < merged.depth; z++) {
    for (size_t y = 0; y < merged.height; y++) {
      FillRow(to.at + z * to.slice_pitch + y * to.row_pitch, merged.width, value, element_bytes);
    }
  }
}

}  // namespace simgpu::cuda
