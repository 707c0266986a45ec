// Columns as wide as their widest cell.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpshare::app {

class TextTable {
 public:
  using Row = std::vector<std::string>;

  void Add(Row row) { rows_.push_back(std::move(row)); }

  // Two blanks between columns, none at the end of a line; cut at `width` (0: not at all).
  std::vector<std::string> Lines(size_t width) const;

 private:
  std::vector<Row> rows_;
};

}  // namespace warpshare::app
