// The rows of the table, one function each; a file a row.
#pragma once

#include <string>
#include <vector>

#include "bench/share/report.h"
#include "bench/share/stage/sim_machine.h"

namespace warpshare::bench {

struct Bench {
  const SimMachine& machine;
  Report& report;
  bool quick;        // fewer cases, shorter
  std::string only;  // of the cases, those with this in their name
  int patience;      // how often a scene that the machine disturbed is played anew
  double seconds() const { return quick ? 4 : 10; }
  bool Runs(const std::string& which) const { return which.find(only) != std::string::npos; }
};

struct Row {
  const char* name;
  bool needs_shares;  // of `warpshare run`
  void (*run)(const Bench&);
};

const std::vector<Row>& Rows();

void MeasureFloor(const Bench& bench);  // the simulated card by itself: what is noise
void MeasureHardCaps(const Bench& bench);
void MeasureEventCosts(const Bench& bench);
void MeasureTenants(const Bench& bench);
void MeasureHandovers(const Bench& bench);
void MeasureGaps(const Bench& bench);
void MeasureSoftReturn(const Bench& bench);
void MeasurePriority(const Bench& bench);
void MeasureCost(const Bench& bench);
void MeasureChanges(const Bench& bench);

}  // namespace warpshare::bench
