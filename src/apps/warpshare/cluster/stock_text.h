// The tables of `warpshare inspect`.
#pragma once

#include <string>
#include <vector>

#include "cluster/report/stock.h"

namespace warpshare::app {

struct StockView {
  bool is_wide = false;
  std::string space = {};  // show pods of this namespace only; empty: all. Sums count them all.
};

std::vector<std::string> NodeLines(const report::Stock& stock, const StockView& view);
std::vector<std::string> CardLines(const report::Stock& stock, const StockView& view);
std::vector<std::string> PodLines(const report::Survey& survey, const StockView& view);

}  // namespace warpshare::app
