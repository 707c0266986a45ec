#include "apps/warpshare/cluster/inspect_command.h"

#include <cstdio>

#include "apps/warpshare/cluster/cluster_session.h"
#include "apps/warpshare/cluster/stock_json.h"
#include "apps/warpshare/cluster/stock_text.h"
#include "apps/warpshare/complaint.h"

namespace warpshare::app {

namespace {

std::vector<std::string> TextOf(const InspectOptions& options, const report::Stock& stock,
                                const report::Survey& survey) {
  const StockView view{.is_wide = options.cluster.output == "wide", .space = options.cluster.space};
  if (options.what == "cards") return CardLines(stock, view);
  if (options.what == "pods") return PodLines(survey, view);
  return NodeLines(stock, view);
}

}  // namespace

int Inspect(const InspectOptions& options) {
  auto session = ClusterSession::Open(options.cluster);
  if (!session) return ExitWith(session.error());
  report::Scope scope{.node = options.node};
  // Of the others all are needed: what is left of a card depends on them.
  if (options.what == "pods") scope.space = options.cluster.space;
  report::Survey survey;
  const auto read = (*session)->Read(scope, survey);
  if (!read) return ExitWith(read.error());
  const report::Stock stock = report::TakeStock(survey);
  if (options.cluster.output == "json") {
    std::puts(StockJson(stock, survey, options).c_str());
    return kSuccess;
  }
  for (const std::string& line : TextOf(options, stock, survey)) std::puts(line.c_str());
  return kSuccess;
}

}  // namespace warpshare::app
