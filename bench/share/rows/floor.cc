// The simulated card without warpshare: two processes take it in turns of 2 ms. What is off here
// is the error of the card and of the measure, which no share can be better than.
#include <initializer_list>

#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

void MeasureFloor(const Bench& bench) {
  for (const char* kernel : {"5us", "200us", "2ms"}) {
    const std::string which = std::string("two bare kernel=") + kernel;
    if (!bench.Runs(which)) continue;
    // Deep enough that a program that waits for a processor still has work on the card.
    const Words load = {"--kernel", kernel, "--depth", "1024"};
    const auto scene = Played(bench, {Bare("a", load), Bare("b", load)}, bench.seconds());
    JudgeShares(bench, *scene, "floor", which, {0.5, 0.5});
  }
}

}  // namespace warpshare::bench
