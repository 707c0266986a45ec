#include "bench/interposer/report.h"

#include <stdio.h>

namespace warpshare::bench {

void Print(const Case& which, const Timing& timing) {
  printf(
      "{\"bench\": \"interposer\", \"case\": \"%s\", \"driver\": \"%s\", \"tenant\": \"%s\", "
      "\"live\": %ld, \"bare_ns\": %.1f, \"hooked_ns\": %.1f, \"added_ns\": %.1f, "
      "\"error_ns\": %.1f, \"ratio\": %.3f, \"budget_ns\": %.0f, \"rounds\": %zu}\n",
      which.name, which.driver, which.tenant, which.live, timing.bare_ns, timing.hooked_ns,
      timing.added_ns, timing.error_ns, (timing.bare_ns + timing.added_ns) / timing.bare_ns,
      which.budget_ns, timing.rounds);
  fflush(stdout);
}

}  // namespace warpshare::bench
