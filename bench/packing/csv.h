// Tables of values between commas, without quotes, and with names in the first line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/result.h"

namespace warpshare::bench {

class Csv {
 public:
  static Result<Csv> Read(const std::string& path);

  size_t rows() const { return rows_.size(); }
  bool Has(std::string_view column) const { return Index(column).has_value(); }
  // Empty where the row or the table has no such column.
  std::string_view Text(size_t row, std::string_view column) const;
  // 0 for an empty text; none for what is no number.
  std::optional<uint64_t> Number(size_t row, std::string_view column) const;

 private:
  std::optional<size_t> Index(std::string_view column) const;

  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace warpshare::bench
