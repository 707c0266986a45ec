#include "simgpu/cuda/image/lz4.h"

#include <utility>

namespace simgpu::cuda {
namespace {

constexpr size_t kMostOfAByte = 255;  // a byte of a block makes no more bytes than that
constexpr size_t kLongLength = 15;    // in the four bits of a token: more follows
constexpr size_t kShortestMatch = 4;

class Block {
 public:
  Block(std::string_view block, size_t unpacked_bytes) : rest_(block), bytes_(unpacked_bytes) {}

  // A block is a row of sequences: bytes as they are, then a piece of what there is already. The
  // last one has no such piece.
  std::string Unpack() {
    if (bytes_ / kMostOfAByte > rest_.size()) return {};
    out_.reserve(bytes_);
    while (!rest_.empty()) {
      const size_t token = Byte();
      if (!CopyLiterals(Length(token >> 4))) return {};
      if (rest_.empty()) break;
      if (rest_.size() < 2) return {};
      const size_t low = Byte();
      const size_t distance = low | Byte() << 8;
      if (!CopyMatch(distance, Length(token & kLongLength) + kShortestMatch)) return {};
    }
    return out_.size() == bytes_ ? std::move(out_) : std::string();
  }

 private:
  // 0 behind the end, as in a block that is cut.
  size_t Byte() {
    if (rest_.empty()) return 0;
    const size_t byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }

  size_t Length(size_t length) {
    if (length != kLongLength) return length;
    size_t more = 255;
    while (more == 255) length += more = Byte();
    return length;
  }

  bool CopyLiterals(size_t length) {
    if (length > rest_.size() || length > bytes_ - out_.size()) return false;
    out_.append(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return true;
  }

  // The piece may reach into what it makes itself.
  bool CopyMatch(size_t distance, size_t length) {
    if (distance == 0 || distance > out_.size() || length > bytes_ - out_.size()) return false;
    for (; length > 0; --length) out_.push_back(out_[out_.size() - distance]);
    return true;
  }

  std::string_view rest_;
  const size_t bytes_;
  std::string out_;
};

}  // namespace

std::string UnpackLz4(std::string_view block, size_t unpacked_bytes) {
  return Block(block, unpacked_bytes).Unpack();
}

}  // namespace simgpu::cuda
