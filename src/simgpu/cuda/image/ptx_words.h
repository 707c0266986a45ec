// Cuts PTX into words: directives (".global"), names, numbers, and single marks for all else.
// Comments are left out, and so are quoted texts, which are names of files and the like.
#pragma once

#include <string_view>

namespace simgpu::cuda {

class PtxWords {
 public:
  explicit PtxWords(std::string_view text) : rest_(text) { Next(); }

  std::string_view word() const { return word_; }  // empty: the end
  bool at_end() const { return word_.empty(); }

  void Next();
  bool Take(std::string_view word);  // goes on if that is the word
  // A word; a whole group, if it opens one with ( [ or {.
  void Skip();

 private:
  void SkipBlanks();
  size_t WordLength() const;
  size_t NumberLength() const;
  size_t NameLength(size_t from) const;

  std::string_view rest_;  // behind the word
  std::string_view word_;
};

}  // namespace simgpu::cuda
