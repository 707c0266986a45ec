#include "simgpu/cuda/image/ptx_words.h"

#include <algorithm>

namespace simgpu::cuda {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

bool IsDigit(char letter) { return letter >= '0' && letter <= '9'; }

bool IsNameLetter(char letter) {
  return IsDigit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         letter == '_' || letter == '$' || letter == '%';
}

bool IsExponent(char letter) { return letter == 'e' || letter == 'E'; }

// What is left of `text` behind the next `end`, from `from` on.
std::string_view Behind(std::string_view text, std::string_view end, size_t from) {
  const size_t at = text.find(end, from);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + end.size());
}

}  // namespace

void PtxWords::Next() {
  SkipBlanks();
  word_ = rest_.substr(0, WordLength());
  rest_.remove_prefix(word_.size());
}

bool PtxWords::Take(std::string_view word) {
  if (at_end() || word_ != word) return false;
  Next();
  return true;
}

void PtxWords::Skip() {
  int depth = 0;
  do {
    if (word_ == "(" || word_ == "[" || word_ == "{") ++depth;
    if (word_ == ")" || word_ == "]" || word_ == "}") --depth;
    Next();
  } while (depth > 0 && !at_end());
}

void PtxWords::SkipBlanks() {
  while (true) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    if (rest_.starts_with("//")) {
      rest_ = Behind(rest_, "\n", 2);
    } else if (rest_.starts_with("/*")) {
      rest_ = Behind(rest_, "*/", 2);
    } else if (rest_.starts_with('"')) {
      rest_ = Behind(rest_, "\"", 1);
    } else {
      return;
    }
  }
}

size_t PtxWords::WordLength() const {
  if (rest_.empty()) return 0;
  const bool has_point = rest_.front() == '.';
  const bool has_digit = rest_.size() > (has_point ? 1 : 0) && IsDigit(rest_[has_point ? 1 : 0]);
  if (has_digit) return NumberLength();
  return std::max<size_t>(1, NameLength(has_point ? 1 : 0));
}

// A decimal one may have a sign in it: 1.5e-3.
size_t PtxWords::NumberLength() const {
  const bool is_decimal = rest_.size() < 2 || rest_[0] != '0' || IsDigit(rest_[1]) ||
                          rest_[1] == '.' || IsExponent(rest_[1]);
  size_t length = 1;
  while (length < rest_.size()) {
    const char letter = rest_[length];
    const bool is_sign =
        is_decimal && (letter == '+' || letter == '-') && IsExponent(rest_[length - 1]);
    if (!IsNameLetter(letter) && letter != '.' && !is_sign) break;
    ++length;
  }
  return length;
}

// Up to where a name from there on ends.
size_t PtxWords::NameLength(size_t from) const {
  size_t length = from;
  while (length < rest_.size() && IsNameLetter(rest_[length])) ++length;
  return length;
}

}  // namespace simgpu::cuda
