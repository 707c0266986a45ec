#include "apps/warpshare/spelling.h"

#include <algorithm>
#include <cstddef>

namespace warpshare::app {

namespace {

constexpr size_t kLettersForASlip = 3;
constexpr size_t kLongest = 40;  // nobody's word; the work grows with its length

using Row = std::vector<size_t>;

// How many of them lie between the two: a row of the usual table for each letter of `written`.
size_t Slips(std::string_view written, std::string_view word) {
  Row two_before;
  Row before(word.size() + 1);
  for (size_t i = 0; i <= word.size(); ++i) before[i] = i;
  for (size_t row = 1; row <= written.size(); ++row) {
    Row now(word.size() + 1, row);
    for (size_t i = 1; i <= word.size(); ++i) {
      const size_t wrong = written[row - 1] == word[i - 1] ? 0 : 1;
      now[i] = std::min({now[i - 1] + 1, before[i] + 1, before[i - 1] + wrong});
      if (row > 1 && i > 1 && written[row - 1] == word[i - 2] && written[row - 2] == word[i - 1])
        now[i] = std::min(now[i], two_before[i - 2] + 1);
    }
    two_before = std::move(before);
    before = std::move(now);
  }
  return before.back();
}

std::string_view WithoutDashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

std::optional<std::string> OnlyOneThatBeginsSo(std::string_view written,
                                               const std::vector<std::string>& words) {
  std::optional<std::string> found;
  for (const std::string& word : words) {
    if (!word.starts_with(written)) continue;
    if (found) return std::nullopt;
    found = word;
  }
  return found;
}

}  // namespace

std::optional<std::string> NearestWord(std::string_view written,
                                       const std::vector<std::string>& words) {
  const size_t letters = WithoutDashes(written).size();
  if (letters < 2 || written.size() > kLongest) return std::nullopt;
  if (auto only = OnlyOneThatBeginsSo(written, words)) return only;
  size_t fewest = std::max<size_t>(1, letters / kLettersForASlip) + 1;
  std::optional<std::string> nearest;
  for (const std::string& word : words) {
    const size_t slips = Slips(WithoutDashes(written), WithoutDashes(word));
    if (slips >= fewest) continue;
    fewest = slips;
    nearest = word;
  }
  return nearest;
}

}  // namespace warpshare::app
