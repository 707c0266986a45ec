// Text of bounded length in a buffer of the caller's: paths and log lines, without libc's
// formatting or memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpshare::guest {

bool SameText(const char* a, const char* b);
size_t LengthOf(const char* text);

inline constexpr size_t kUuidLength = 36;

// Appends to a fixed buffer, always NUL-terminated; what does not fit is cut off and remembered.
class TextBuffer {
 public:
  TextBuffer(char* buffer, size_t capacity) : buffer_(buffer), capacity_(capacity) {
    buffer_[0] = '\0';
  }

  TextBuffer& Add(const char* text) { return Add(text, LengthOf(text)); }
  TextBuffer& Add(const char* text, size_t length);
  TextBuffer& Add(char letter) { return Add(&letter, 1); }
  TextBuffer& AddNumber(uint64_t number);
  TextBuffer& AddPadded(uint64_t number, int digits);  // with leading zeros
  TextBuffer& AddHex(uint64_t number);
  TextBuffer& AddUuid(const uint8_t (&uuid)[16]);  // kUuidLength characters, 8-4-4-4-12

  const char* text() const { return buffer_; }
  size_t length() const { return length_; }
  bool was_cut() const { return was_cut_; }

 private:
  char* buffer_;
  size_t capacity_;
  size_t length_ = 0;
  bool was_cut_ = false;
};

template <size_t kCapacity>
class Text : public TextBuffer {
 public:
  Text() : TextBuffer(storage_, kCapacity) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

 private:
  char storage_[kCapacity];
};

inline constexpr size_t kMaxPath = 4096;
using Path = Text<kMaxPath>;

}  // namespace warpshare::guest
