// Columns as wide as their widest cell.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace warpshare::app {

class TextTable {
 public:
  using Row = std::vector<std::string>;

  void Add(Row row) { rows_.push_back(std::move(row)); }

  // Leaves out columns, named by their first cell.
  void Drop(std::initializer_list<std::string_view> columns);

  // The same, one after the other, until lines fit.
  void DropToFit(size_t width, std::initializer_list<std::string_view> columns);

  // Two blanks between columns, none at the end of a line; cut at `width` (0: not at all).
  std::vector<std::string> Lines(size_t width) const;

 private:
  std::vector<size_t> Widths() const;

  std::vector<Row> rows_;
};

}  // namespace warpshare::app
