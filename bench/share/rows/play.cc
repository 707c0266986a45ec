#include "bench/share/rows/play.h"

#include <stdio.h>

#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

constexpr double kMostStolenPercent = 0.5;

double WorstAwayPercent(const Scene& scene) {
  return WorstWindow(scene.Lateness(), scene.whole(), kShortWindowNs, /*share=*/0).over_points;
}

bool WasDisturbed(const Scene& scene) {
  return WorstAwayPercent(scene) > 100 * kCalmPart ||
         scene.noise().steal_percent > kMostStolenPercent;
}

}  // namespace

std::unique_ptr<Scene> Played(const Bench& bench, const std::vector<TenantPlan>& plans,
                              double seconds, size_t late,
                              const std::function<void(Scene&)>& meanwhile) {
  for (int plays = 1;; ++plays) {
    auto scene = std::make_unique<Scene>(bench.machine, plans, seconds);
    scene->Play(late, meanwhile);
    const bool was_disturbed = WasDisturbed(*scene);
    bench.report.SetPlays(plays, was_disturbed);
    if (!was_disturbed || plays > bench.patience) return scene;
    fprintf(stderr, "  away for %.0f ms of 100, %.1f %% stolen: once more (%d of %d)\n",
            WorstAwayPercent(*scene), scene->noise().steal_percent, plays, bench.patience);
  }
}

}  // namespace warpshare::bench
