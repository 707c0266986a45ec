// What the driver reports of a card and what this process is charged for there, of one moment. The
// two can be compared where it was quiet: nothing of this process was in flight on that card.
#pragma once

#include <cstdint>

#include "interposer/accounts/driver_report.h"
#include "interposer/session/card_account.h"

namespace warpshare::interposer {

struct ReportSnapshot {
  DriverReport report;
  CardAccount::Holdings own;  // what this process is charged for, with room
  bool is_quiet;
};

// Whether nothing is in flight just now, by a look that costs no report.
bool IsQuietNow(const CardAccount& account);

// `held`: what the caller holds itself, charged and entered nowhere. Waits a moment, up to
// `attempts` times in all, for what is in flight to arrive.
void TakeSnapshot(const CardAccount& account, uint64_t held, int attempts,
                  ReportSnapshot& snapshot);

}  // namespace warpshare::interposer
