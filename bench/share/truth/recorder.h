// Records what the simulated cards know of every process: when it had an engine. The cards write
// down each interval of work with its true times, whenever they get to it, so the record is exact
// however late anybody wakes up, this recorder included. Only of a process with more than 16
// separate stretches of work between two looks (5 ms), the oldest are known as a sum.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bench/share/truth/busy_series.h"
#include "bench/share/truth/processor_waits.h"
#include "simgpu/world/machine.h"

namespace warpshare::bench {

class Recorder {
 public:
  // Attaches to the world in `directory`, which somebody has made; ends the program if it cannot.
  explicit Recorder(const std::string& directory);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  std::vector<pid_t> Processes() const;  // all that were ever seen
  // All engines of the card.
  BusySeries Of(const std::vector<pid_t>& processes, int card) const;
  BusySeries Waits() const;  // of all those processes for a processor
  uint64_t worst_lateness_ns() const { return worst_lateness_ns_; }  // of its own looks

 private:
  struct Place {  // of one process at one engine
    int card;
    uint32_t engine;
    uint32_t slot;
    uint64_t generation;
    auto operator<=>(const Place&) const = default;
  };
  struct Track {
    pid_t process = 0;
    uint64_t sum_ns = 0;  // of pieces
    std::vector<BusyPiece> pieces;
  };

  void Run();
  void Look();
  std::vector<pid_t> SeenProcesses() const;
  void LookAt(int card, simgpu::world::EngineKind engine, uint64_t now_ns);
  static void Fold(Track& track, const simgpu::world::Seat& seat, uint64_t last_look_ns);

  std::unique_ptr<simgpu::world::Machine> machine_;
  mutable std::mutex mutex_;
  std::map<Place, Track> tracks_;
  ProcessorWaits waits_;
  uint64_t last_look_ns_ = 0;
  std::atomic<uint64_t> worst_lateness_ns_{0};
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace warpshare::bench
