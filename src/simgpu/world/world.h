// The machine that all processes share: a directory with the shared state (`world`) and one sparse
// file of data per card. Attaching is reading; a process becomes a participant (it can own memory
// and engine time) on its first charge, extent or reservation, or by Join(). The death of a
// participant, at any instruction, is noticed by the others, who give back what it held. Nothing
// happens when the library is loaded. All functions are thread-safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simgpu/world/engine.h"
#include "simgpu/world/events.h"
#include "simgpu/world/memory.h"
#include "simgpu/world/process.h"
#include "simgpu/world/process/fork_mark.h"
#include "simgpu/world/scenario.h"

namespace simgpu::world {

struct WorldOptions {
  std::string directory;
  ScenarioSource source;
  static WorldOptions FromEnvironment();  // SIMGPU_WORLD, default /dev/shm/simgpu-<uid>, and the
                                          // SIMGPU_* of ScenarioSource
};

class World {
 public:
  // This process's world, attached (or created) by the first call. Where that fails, ok() is false,
  // error() says why and how to mend it (also written once to stderr), and card_count() is 0; it is
  // not tried again.
  static World& Instance();

  // True in the child of a fork of a process that had called Instance(): this world is not the
  // child's to use, and every driver call but the harmless ones returns CUDA_ERROR_NOT_INITIALIZED.
  // Two loads; also right after raw clone().
  static bool ForkedChild() { return InForkedChild(); }

  // A world of one's own, for tests and tools. Null and `error` set on failure.
  static std::unique_ptr<World> Open(const WorldOptions& options, std::string* error);
  ~World();  // leaves: everything this process held is given back

  bool ok() const;
  std::string error() const;
  const std::string& directory() const;
  uint64_t id() const;          // random, given at creation
  uint64_t created_ns() const;  // CLOCK_MONOTONIC

  const Scenario& scenario() const;
  int card_count() const;
  const CardSpec& card(int index) const;

  // Becomes a participant. False when the table of processes is full or a thread cannot be had
  // (error() says which).
  bool Join();
  ProcessKey self() const;  // none before Join

  Memory& memory();
  Engine& engine();
  Events& events();

  // Gives back what dead processes held. Refusals, queries and waits do it by themselves.
  void Reap();
  std::vector<ProcessUse>
  Processes();  // live participants, in the order of their slots, after a Reap

 private:
  struct State;
  explicit World(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What `simgpu-smi` shows: cards, then processes with their memory and busy time, as text.
std::string DescribeWorld(World& world);

}  // namespace simgpu::world
