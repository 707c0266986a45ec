#include "simgpu/cuda/image/ptx_value.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

namespace simgpu::cuda {
namespace {

template <typename Number, typename... Format>
std::optional<Number> Parse(std::string_view text, Format... format) {
  Number number{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, format...);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool TakePrefix(std::string_view* text, std::string_view lower, std::string_view upper) {
  if (!text->starts_with(lower) && !text->starts_with(upper)) return false;
  text->remove_prefix(lower.size());
  return true;
}

std::optional<uint64_t> Integer(std::string_view text) {
  if (text.ends_with('U')) text.remove_suffix(1);
  if (TakePrefix(&text, "0x", "0X")) return Parse<uint64_t>(text, 16);
  if (TakePrefix(&text, "0b", "0B")) return Parse<uint64_t>(text, 2);
  return Parse<uint64_t>(text, text.starts_with('0') ? 8 : 10);
}

// 0f and 0d begin the bits of a number.
std::optional<double> Float(std::string_view text) {
  if (TakePrefix(&text, "0f", "0F")) {
    const auto bits = Parse<uint32_t>(text, 16);
    return bits ? std::optional<double>(std::bit_cast<float>(*bits)) : std::nullopt;
  }
  if (TakePrefix(&text, "0d", "0D")) {
    const auto bits = Parse<uint64_t>(text, 16);
    return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
  }
  return Parse<double>(text);
}

// A value while it is read. Numbers fill it from the beginning, whatever braces are around them:
// those only count where the first dimension is left open.
class Reader {
 public:
  explicit Reader(const PtxShape& shape) : shape_(shape) {}

  std::optional<Variable> Read(PtxWords* words) {
    do {
      if (!ReadPart(words)) return std::nullopt;
    } while (depth_ > 0);
    if (!shape_.dimensions.empty() && shape_.dimensions[0] == 0) shape_.dimensions[0] = rows_;
    std::optional<Variable> variable = PtxZeros(shape_);
    if (!variable || numbers_ > variable->bytes / shape_.type.bytes) return std::nullopt;
    if (variable->bytes > kMostValueBytes || value_.empty()) return variable;
    value_.resize(variable->bytes);
    variable->value = std::move(value_);
    return variable;
  }

 private:
  bool ReadPart(PtxWords* words) {
    if (words->Take("}")) return depth_-- > 0;
    if (depth_ > 0 && words->Take(",")) return true;
    if (IsEnd(words->word())) return false;
    if (depth_ == 1) ++rows_;
    if (words->Take("{")) return ++depth_ <= shape_.dimensions.size();
    Put(ReadNumber(words));
    return true;
  }

  void Put(std::optional<uint64_t> number) {
    const size_t offset = numbers_++ * shape_.type.bytes;
    if (number.value_or(0) == 0 || offset >= kMostValueBytes) return;
    value_.resize(offset + shape_.type.bytes);
    std::memcpy(value_.data() + offset, &*number, std::min(sizeof(*number), shape_.type.bytes));
  }

  static bool IsEnd(std::string_view word) {
    return word.empty() || word == "," || word == "}" || word == ";";
  }

  // None: an address, a sum, whatever else may stand there.
  std::optional<uint64_t> ReadNumber(PtxWords* words) const {
    const bool is_negative = words->Take("-");
    const std::string_view first = words->word();
    if (!IsEnd(first)) words->Skip();
    if (IsEnd(words->word())) return Signed(PtxNumber(first, shape_.type), is_negative);
    while (!IsEnd(words->word())) words->Skip();
    return std::nullopt;
  }

  std::optional<uint64_t> Signed(std::optional<uint64_t> number, bool is_negative) const {
    if (!number || !is_negative) return number;
    if (!shape_.type.is_float) return 0 - *number;
    const uint64_t sign = uint64_t{1} << (shape_.type.bytes * 8 - 1);
    return *number ^ sign;
  }

  PtxShape shape_;
  size_t depth_ = 0;    // open braces
  size_t rows_ = 0;     // within the outermost
  size_t numbers_ = 0;  // there were so far
  std::vector<std::byte> value_;
};

}  // namespace

std::optional<uint64_t> PtxNumber(std::string_view word, const PtxType& type) {
  if (!type.is_float) return Integer(word);
  const std::optional<double> number = Float(word);
  if (!number) return std::nullopt;
  if (type.bytes == sizeof(double)) return std::bit_cast<uint64_t>(*number);
  if (type.bytes == sizeof(float)) return std::bit_cast<uint32_t>(static_cast<float>(*number));
  return std::nullopt;
}

std::optional<Variable> PtxZeros(const PtxShape& shape) {
  size_t bytes = shape.type.bytes;
  for (const size_t dimension : shape.dimensions) {
    if (__builtin_mul_overflow(bytes, dimension, &bytes)) return std::nullopt;
  }
  return bytes != 0 ? std::optional(Variable{.bytes = bytes, .value = {}}) : std::nullopt;
}

std::optional<Variable> PtxValue(const PtxShape& shape, PtxWords* words) {
  if (shape.type.bytes == 0) return std::nullopt;
  return Reader(shape).Read(words);
}

}  // namespace simgpu::cuda
