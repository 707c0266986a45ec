#include "apps/warpshare/text_table.h"

#include <algorithm>
#include <iterator>

namespace warpshare::app {

namespace {

constexpr size_t kGap = 2;  // between columns

}  // namespace

std::vector<size_t> TextTable::Widths() const {
  std::vector<size_t> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

void TextTable::Drop(std::initializer_list<std::string_view> columns) {
  for (const std::string_view column : columns) {
    if (rows_.empty()) return;
    const auto position = std::ranges::find(rows_[0], column) - rows_[0].begin();
    for (Row& row : rows_)
      if (position < std::ssize(row)) row.erase(row.begin() + position);
  }
}

void TextTable::DropToFit(size_t width, std::initializer_list<std::string_view> columns) {
  for (const std::string_view column : columns) {
    size_t needed = 0;
    for (const size_t column_width : Widths()) needed += column_width + kGap;
    if (width == 0 || needed <= width + kGap) return;
    Drop({column});
  }
}

std::vector<std::string> TextTable::Lines(size_t width) const {
  const std::vector<size_t> widths = Widths();
  std::vector<std::string> lines;
  for (const Row& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + kGap, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    if (width != 0 && line.size() > width) line.resize(width);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace warpshare::app
