#include "bench/share/rows/rows.h"

namespace warpshare::bench {

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = {
      {"floor", false, MeasureFloor},
      {"hard_cap", true, MeasureHardCaps},
      {"event_costs", true, MeasureEventCosts},
      {"tenants", true, MeasureTenants},
      {"handovers", true, MeasureHandovers},
      {"gaps", true, MeasureGaps},
      {"soft", true, MeasureSoftReturn},
      {"priority", true, MeasurePriority},
      {"cost", true, MeasureCost},
      {"changes", true, MeasureChanges},
  };
  return rows;
}

}  // namespace warpshare::bench
