#include "simgpu/cuda/copy/box.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace simgpu::cuda {
namespace {

struct Shape {
  const char* name;
  BoxExtent extent;
  size_t to_row, to_slice, from_row, from_slice;
};

const Shape kShapes[] = {
    {"one row", {13, 1, 1}, 0, 0, 0, 0},
    {"packed rows", {8, 4, 1}, 8, 32, 8, 32},
    {"pitched destination", {8, 4, 1}, 16, 64, 8, 32},
    {"pitched source", {5, 3, 1}, 5, 15, 11, 33},
    {"packed box", {4, 3, 2}, 4, 12, 4, 12},
    {"packed slices apart", {4, 3, 2}, 4, 40, 4, 12},
    {"everything apart", {3, 3, 3}, 5, 32, 7, 29},
    {"one row a slice", {6, 1, 4}, 0, 9, 0, 6},
};

TEST(Box, CopiesTheBytesInsideAndNoneOutside) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    std::vector<std::byte> from(256);
    std::vector<std::byte> to(256, std::byte{0xee});
    for (size_t i = 0; i < from.size(); i++) from[i] = std::byte(i * 7 + 1);
    std::vector<std::byte> expected = to;
    const BoxExtent& box = shape.extent;
    for (size_t z = 0; z < box.depth; z++) {
      for (size_t y = 0; y < box.height; y++) {
        for (size_t x = 0; x < box.width; x++) {
          expected[z * shape.to_slice + y * shape.to_row + x] =
              from[z * shape.from_slice + y * shape.from_row + x];
        }
      }
    }
    CopyBox({to.data(), shape.to_row, shape.to_slice},
            {from.data(), shape.from_row, shape.from_slice}, box);
    EXPECT_EQ(to, expected);
  }
}

TEST(Box, FillsWithEveryElementSize) {
  for (const unsigned element : {1u, 2u, 4u}) {
    for (const Shape& shape : kShapes) {
      SCOPED_TRACE(shape.name);
      BoxExtent box = shape.extent;
      box.width = box.width / 4 * 4 + 4;
      const size_t row = shape.to_row + 4;
      const size_t slice = row * (box.height + 1);
      std::vector<std::byte> to(512, std::byte{0xee});
      std::vector<std::byte> expected = to;
      const uint32_t value = 0xa1b2c3d4;
      for (size_t z = 0; z < box.depth; z++) {
        for (size_t y = 0; y < box.height; y++) {
          for (size_t x = 0; x < box.width; x += element) {
            std::memcpy(&expected[z * slice + y * row + x], &value, element);
          }
        }
      }
      FillBox({to.data(), row, slice}, box, value, element);
      EXPECT_EQ(to, expected);
    }
  }
}

TEST(Box, MovesOverlappingRowsRightly) {
  char text[] = "abcdefgh";
  CopyBox({reinterpret_cast<std::byte*>(text + 2), 0, 0},
          {reinterpret_cast<std::byte*>(text), 0, 0}, {.width = 6});
  EXPECT_STREQ(text, "ababcdef");
}

TEST(Box, SpansFromTheFirstToTheLastByte) {
  size_t span = 1;
  EXPECT_TRUE(SpanOf({nullptr, 10, 100}, {0, 4, 4}, &span));
  EXPECT_EQ(span, 0u);
  EXPECT_TRUE(SpanOf({nullptr, 10, 100}, {4, 3, 2}, &span));
  EXPECT_EQ(span, 100u + 20u + 4u);
  EXPECT_FALSE(SpanOf({nullptr, SIZE_MAX / 2, 0}, {4, 4, 1}, &span));
}

}  // namespace
}  // namespace simgpu::cuda
