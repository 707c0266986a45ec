#include "simgpu/cuda/image/fat_binary.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simgpu/cuda/image/cubin.h"
#include "simgpu/cuda/image/lz4.h"
#include "simgpu/cuda/image/ptx.h"

namespace simgpu::cuda {
namespace {

constexpr std::string_view kMagic = "\x50\xed\x55\xba";
constexpr std::string_view kWrapperMagic = "\xb1\x43\x62\x46";

struct Header {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t bytes;  // of the entries behind it
};
static_assert(sizeof(Header) == kFatBinaryHeaderBytes);

struct Wrapper {
  uint32_t magic;
  uint32_t version;
  const void* fat_binary;
  const void* more;  // not read
};

enum class Kind : uint16_t { kPtx = 1, kCubin = 2 };

constexpr uint64_t kPackedByLz4 = 0x2000;
constexpr uint64_t kPackedByZstandard = 0x8000;

struct Entry {
  Kind kind;
  uint16_t version;
  uint32_t header_bytes;  // of this, and of names and options behind it
  uint64_t bytes;
  uint32_t packed_bytes;  // the rest of `bytes` is padding
  uint32_t unused[5];
  uint64_t flags;
  uint64_t unused_too;
  uint64_t unpacked_bytes;
};
static_assert(sizeof(Entry) == 64);

bool BeginsWith(const void* image, std::string_view magic) {
  return std::equal(magic.begin(), magic.end(), static_cast<const char*>(image));
}

ImageContents ReadPlain(Kind kind, std::string_view bytes) {
  if (kind == Kind::kPtx) return ReadPtx(bytes);
  const bool is_cubin =
      kind == Kind::kCubin && bytes.size() >= kCubinHeaderBytes && IsCubin(bytes.data());
  return is_cubin ? ReadCubin(bytes) : ImageContents();
}

ImageContents ReadEntry(const Entry& entry, std::string_view bytes) {
  if ((entry.flags & kPackedByZstandard) != 0) return {};
  if ((entry.flags & kPackedByLz4) == 0) return ReadPlain(entry.kind, bytes);
  return ReadPlain(entry.kind,
                   UnpackLz4(bytes.substr(0, entry.packed_bytes), entry.unpacked_bytes));
}

}  // namespace

bool IsFatBinary(const void* image) { return BeginsWith(image, kMagic); }

const void* UnwrapFatBinary(const void* image) {
  if (!BeginsWith(image, kWrapperMagic)) return image;
  Wrapper wrapper;
  std::memcpy(&wrapper, image, sizeof(wrapper));
  return wrapper.fat_binary != nullptr ? wrapper.fat_binary : image;
}

size_t FatBinaryLength(const void* fat_binary) {
  Header header;
  std::memcpy(&header, fat_binary, sizeof(header));
  return header.bytes <= SIZE_MAX - header.header_bytes ? header.header_bytes + header.bytes : 0;
}

ImageContents ReadFatBinary(std::string_view fat_binary) {
  Header header;
  std::memcpy(&header, fat_binary.data(), sizeof(header));
  ImageContents contents;
  if (header.header_bytes > fat_binary.size()) return contents;
  std::string_view rest = fat_binary.substr(header.header_bytes, header.bytes);
  while (rest.size() >= sizeof(Entry)) {
    Entry entry;
    std::memcpy(&entry, rest.data(), sizeof(entry));
    if (entry.header_bytes < sizeof(entry) || entry.header_bytes > rest.size()) break;
    rest.remove_prefix(entry.header_bytes);
    if (entry.bytes > rest.size()) break;
    ImageContents found = ReadEntry(entry, rest.substr(0, entry.bytes));
    contents.kernels.merge(found.kernels);
    contents.variables.merge(found.variables);
    rest.remove_prefix(entry.bytes);
  }
  return contents;
}

}  // namespace simgpu::cuda
