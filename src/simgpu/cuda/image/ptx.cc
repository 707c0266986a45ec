#include "simgpu/cuda/image/ptx.h"

#include <string>

#include "simgpu/cuda/image/ptx_value.h"
#include "simgpu/cuda/image/ptx_words.h"

namespace simgpu::cuda {
namespace {

constexpr PtxType kCount{.bytes = sizeof(uint64_t), .is_float = false};

constexpr size_t kMostBits = 128;

// Of ".v4" or ".u32" what follows the letter; 0: not that.
size_t NumberBehind(std::string_view letter, std::string_view word) {
  if (!word.starts_with(letter)) return 0;
  word.remove_prefix(letter.size());
  const size_t number = PtxNumber(word, kCount).value_or(0);
  return number <= kMostBits ? number : 0;
}

// 0 bytes: a type without a size of its own, as of textures.
PtxType TypeNamed(std::string_view word) {
  if (word == ".f16x2" || word == ".bf16x2") return {.bytes = 4, .is_float = false};
  if (word == ".bf16") return {.bytes = 2, .is_float = true};
  if (const size_t bits = NumberBehind(".f", word)) return {.bytes = bits / 8, .is_float = true};
  for (const std::string_view kind : {".b", ".s", ".u"}) {
    if (const size_t bits = NumberBehind(kind, word)) return {.bytes = bits / 8, .is_float = false};
  }
  return {};
}

class Reader {
 public:
  explicit Reader(std::string_view text) : words_(text) {}

  ImageContents Read() {
    if (words_.word() != ".version") return {};
    while (!words_.at_end()) ReadOne();
    return std::move(contents_);
  }

 private:
  // The bodies of functions and their parameters are groups, and so passed over.
  void ReadOne() {
    if (words_.Take(".entry")) {
      if (!words_.at_end()) contents_.kernels.emplace(words_.word());
      words_.Skip();
    } else if (words_.Take(".extern")) {
      is_elsewhere_ = true;
    } else if (words_.Take(".global") || words_.Take(".const")) {
      ReadVariables();
    } else {
      if (words_.word() == ";" || words_.word() == "{") is_elsewhere_ = false;
      words_.Skip();
    }
  }

  // What follows up to the ';' is of one type.
  void ReadVariables() {
    PtxType type;
    size_t lanes = 0;
    if (words_.word() == "[") words_.Skip();  // number of a bank of constants, in old PTX
    while (words_.word().starts_with('.')) {
      if (words_.Take(".align")) {
        words_.Skip();
      } else if (words_.Take(".attribute")) {
        words_.Skip();
      } else {
        if (const size_t number = NumberBehind(".v", words_.word())) lanes = number;
        if (const PtxType named = TypeNamed(words_.word()); named.bytes != 0) type = named;
        words_.Next();
      }
    }
    do ReadVariable(type, lanes);
    while (words_.Take(","));
  }

  void ReadVariable(const PtxType& type, size_t lanes) {
    const std::string name(words_.word());
    words_.Next();
    PtxShape shape{.type = type, .dimensions = {}};
    while (words_.Take("[")) {
      const bool is_open = shape.dimensions.empty() && words_.word() == "]";
      shape.dimensions.push_back(PtxNumber(words_.word(), kCount).value_or(0));
      if (shape.dimensions.back() == 0 && !is_open) return;
      if (!is_open) words_.Next();
      if (!words_.Take("]")) return;
    }
    if (lanes != 0) shape.dimensions.push_back(lanes);
    const std::optional<Variable> variable =
        words_.Take("=") ? PtxValue(shape, &words_) : PtxZeros(shape);
    if (variable) Keep(name, *variable);
  }

  void Keep(const std::string& name, const Variable& variable) {
    if (is_elsewhere_) {
      contents_.variables.emplace(name, variable);
    } else {
      contents_.variables.insert_or_assign(name, variable);
    }
  }

  PtxWords words_;
  bool is_elsewhere_ = false;  // what is read is only declared here
  ImageContents contents_;
};

}  // namespace

ImageContents ReadPtx(std::string_view text) {
  return Reader(text.substr(0, text.find('\0'))).Read();
}

}  // namespace simgpu::cuda
