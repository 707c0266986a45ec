#include "interposer/guest/text.h"

namespace warpshare::guest {

bool SameText(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

size_t LengthOf(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

TextBuffer& TextBuffer::Add(const char* text, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (length_ + 1 >= capacity_) {
      was_cut_ = true;
      break;
    }
    buffer_[length_++] = text[i];
  }
  buffer_[length_] = '\0';
  return *this;
}

TextBuffer& TextBuffer::AddNumber(uint64_t number) { return AddPadded(number, 1); }

TextBuffer& TextBuffer::AddPadded(uint64_t number, int digits) {
  constexpr int kMaxDigits = 20;  // of 2^64
  char reversed[kMaxDigits];
  int count = 0;
  for (; count < kMaxDigits && (number != 0 || count < digits); ++count, number /= 10) {
    reversed[count] = static_cast<char>('0' + number % 10);
  }
  while (count > 0) Add(reversed[--count]);
  return *this;
}

TextBuffer& TextBuffer::AddHex(uint64_t number) {
  Add("0x");
  int shift = 60;
  while (shift > 0 && (number >> shift) == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) Add("0123456789abcdef"[(number >> shift) & 15]);
  return *this;
}

TextBuffer& TextBuffer::AddUuid(const uint8_t (&uuid)[16]) {
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) Add('-');
    Add("0123456789abcdef"[uuid[i] >> 4]).Add("0123456789abcdef"[uuid[i] & 15]);
  }
  return *this;
}

}  // namespace warpshare::guest
