// What `warpshare inspect -o json` prints; docs/inspect.md has the fields.
#pragma once

#include <string>

#include "apps/warpshare/options.h"
#include "cluster/report/stock.h"
#include "platform/json/writer.h"

namespace warpshare::app {

// {"nodes": [...], "totals": {...}} with each node's cards for nodes and cards, {"pods": [...]}
// for pods.
std::string StockJson(const report::Stock& stock, const report::Survey& survey,
                      const InspectOptions& options);

// The members of a grant, within an object that the caller has begun.
void WriteGrant(const request::CardGrant& grant, json::Writer& text);

}  // namespace warpshare::app
