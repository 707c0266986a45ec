#include "simgpu/cuda/image/image.h"

#include <cstdint>
#include <cstring>

#include "simgpu/cuda/image/cubin.h"
#include "simgpu/cuda/image/fat_binary.h"
#include "simgpu/cuda/image/ptx.h"

namespace simgpu::cuda {
namespace {

// PTX ends with a zero byte. What is no text ends for us where that shows: it may have no zero.
size_t TextLength(const char* text) {
  size_t length = 0;
  while (static_cast<unsigned char>(text[length]) >= ' ' ||
         (text[length] >= '\t' && text[length] <= '\r')) {
    ++length;
  }
  return length;
}

size_t LengthOf(const void* image) {
  if (IsCubin(image)) return CubinLength(image);
  if (IsFatBinary(image)) return FatBinaryLength(image);
  return TextLength(static_cast<const char*>(image));
}

}  // namespace

std::string_view WholeImage(const void* image) {
  if (image == nullptr) return {};
  image = UnwrapFatBinary(image);
  return {static_cast<const char*>(image), LengthOf(image)};
}

ImageContents ContentsOf(std::string_view image) {
  if (image.size() >= kCubinHeaderBytes && IsCubin(image.data())) return ReadCubin(image);
  if (image.size() >= kFatBinaryHeaderBytes && IsFatBinary(image.data())) {
    return ReadFatBinary(image);
  }
  return ReadPtx(image);
}

}  // namespace simgpu::cuda
