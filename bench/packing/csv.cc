#include "bench/packing/csv.h"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace warpshare::bench {

namespace {

std::vector<std::string> Split(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string> values;
  while (true) {
    const size_t comma = line.find(',');
    values.emplace_back(line.substr(0, comma));
    if (comma == line.npos) return values;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<Csv> Csv::Read(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line))
    return Fail(Errc::kNotFound, path + ": cannot be read, or is empty");
  Csv csv;
  csv.columns_ = Split(line);
  while (std::getline(file, line))
    if (!line.empty()) csv.rows_.push_back(Split(line));
  return csv;
}

std::string_view Csv::Text(size_t row, std::string_view column) const {
  const auto index = Index(column);
  if (!index || *index >= rows_[row].size()) return {};
  return rows_[row][*index];
}

std::optional<uint64_t> Csv::Number(size_t row, std::string_view column) const {
  const std::string_view text = Text(row, column);
  if (text.empty()) return 0;
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

std::optional<size_t> Csv::Index(std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<size_t>(found - columns_.begin());
}

}  // namespace warpshare::bench
