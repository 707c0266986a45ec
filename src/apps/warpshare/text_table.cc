#include "apps/warpshare/text_table.h"

#include <algorithm>

namespace warpshare::app {

std::vector<std::string> TextTable::Lines(size_t width) const {
  std::vector<size_t> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::vector<std::string> lines;
  for (const Row& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    if (width != 0 && line.size() > width) line.resize(width);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace warpshare::app
