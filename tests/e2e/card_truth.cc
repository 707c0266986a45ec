// What the simulated cards know of who had them: `card_truth WORLD MILLISECONDS` looks twice, that
// long apart or a little longer, and prints a JSON line for each process that had a card's compute
// engine between:
//
//   {"pid_namespace": INODE, "card": UUID, "share": 0 TO 1}
//
// A process is told by its pid namespace, which is its container's: /proc/self/ns/pid there.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "simgpu/world/world.h"

namespace {

using simgpu::world::EngineKind;
using simgpu::world::ProcessUse;
using simgpu::world::World;
using Clock = std::chrono::steady_clock;

using Place = std::pair<uint64_t, int>;  // pid namespace, card

struct Look {
  Clock::time_point at;
  std::map<Place, uint64_t> busy_ns;
};

Look LookAt(World& world) {
  Look look;
  for (const ProcessUse& process : world.Processes()) {
    for (int card = 0; card < world.card_count(); ++card)
      look.busy_ns[{process.pid_namespace, card}] +=
          process.cards[card].busy_ns[static_cast<int>(EngineKind::kCompute)];
  }
  look.at = Clock::now();
  return look;
}

void Print(World& world, const Look& first, const Look& last) {
  const auto elapsed = std::chrono::duration<double, std::nano>(last.at - first.at).count();
  for (const auto& [place, busy_ns] : last.busy_ns) {
    const auto before = first.busy_ns.find(place);
    const uint64_t old_ns = before == first.busy_ns.end() ? 0 : before->second;
    if (busy_ns <= old_ns) continue;
    printf("{\"pid_namespace\": %lu, \"card\": \"%s\", \"share\": %.4f}\n", place.first,
           simgpu::world::UuidText(world.card(place.second).uuid).c_str(),
           static_cast<double>(busy_ns - old_ns) / elapsed);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    fprintf(stderr, "usage: card_truth WORLD MILLISECONDS\n");
    return 2;
  }
  std::string error;
  const auto world = World::Open({.directory = words[1], .source = {}}, &error);
  if (world == nullptr) {
    fprintf(stderr, "card_truth: %s\n", error.c_str());
    return 1;
  }
  const Look first = LookAt(*world);
  std::this_thread::sleep_for(std::chrono::milliseconds(atoi(words[2])));
  Print(*world, first, LookAt(*world));
}
