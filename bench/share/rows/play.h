// Scenes of the rows.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/share/rows/rows.h"

namespace warpshare::bench {

// The scene after Scene::Play. One that was disturbed is played anew, `Bench::patience` times at
// most; how often is in the report's next figures. Disturbed: the processors were away for longer
// than what is promised leaves room for, 2 ms of any 100 or half a percent of all the time. That is
// by the machine's timers and the kernel's count of stolen time, whatever the tenants had.
std::unique_ptr<Scene> Played(const Bench& bench, const std::vector<TenantPlan>& plans,
                              double seconds, size_t late = 0,
                              const std::function<void(Scene&)>& meanwhile = {});

}  // namespace warpshare::bench
