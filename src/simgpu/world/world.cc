#include "simgpu/world/world.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "simgpu/world/engine/busy.h"
#include "simgpu/world/machine.h"
#include "simgpu/world/sync/clock.h"

namespace simgpu::world {

struct World::State {
  // Null machine: attaching failed, `error` says why.
  std::unique_ptr<Machine> machine;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Events> events;
  Scenario no_cards;
  std::string directory;
  std::string error;

  bool Attach(const WorldOptions& options) {
    const bool is_default = options.directory.empty();
    directory = is_default ? DefaultDirectory() : options.directory;
    auto file = WorldFile::Attach(directory, is_default, options.source, &error);
    if (file == nullptr) return false;
    machine = std::make_unique<Machine>(std::move(file));
    directory = machine->directory();
    memory = std::make_unique<Memory>(*machine);
    engine = std::make_unique<Engine>(*machine);
    events = std::make_unique<Events>(*machine);
    return true;
  }
};

namespace {

World* instance = nullptr;  // never destroyed: threads of the program may outlive any destructor
pthread_once_t instance_once = PTHREAD_ONCE_INIT;

std::string CopyUntilNul(const char* text, size_t size) {
  return std::string(text, strnlen(text, size));
}

}  // namespace

WorldOptions WorldOptions::FromEnvironment() {
  const char* directory = std::getenv("SIMGPU_WORLD");
  return {directory == nullptr ? "" : directory, ScenarioSource::FromEnvironment()};
}

World::World(std::unique_ptr<State> state) : state_(std::move(state)) {}

World& World::Instance() {
  pthread_once(&instance_once, [] {
    SetForkMark();
    auto state = std::make_unique<State>();
    if (!state->Attach(WorldOptions::FromEnvironment())) {
      std::fprintf(stderr, "simgpu: %s\n", state->error.c_str());
    }
    instance = new World(std::move(state));
  });
  return *instance;
}

std::unique_ptr<World> World::Open(const WorldOptions& options, std::string* error) {
  SetForkMark();
  auto state = std::make_unique<State>();
  if (!state->Attach(options)) {
    *error = state->error;
    return nullptr;
  }
  return std::unique_ptr<World>(new World(std::move(state)));
}

World::~World() {
  if (state_->machine == nullptr || InForkedChild()) return;
  state_->machine->Leave();
}

bool World::ok() const { return state_->machine != nullptr; }

std::string World::error() const { return ok() ? state_->machine->join_error() : state_->error; }

const std::string& World::directory() const { return state_->directory; }
uint64_t World::id() const { return ok() ? state_->machine->id() : 0; }
uint64_t World::created_ns() const { return ok() ? state_->machine->map().header().created_ns : 0; }

const Scenario& World::scenario() const {
  return ok() ? state_->machine->scenario() : state_->no_cards;
}
int World::card_count() const { return static_cast<int>(scenario().cards.size()); }
const CardSpec& World::card(int index) const { return scenario().cards[index]; }

bool World::Join() { return ok() && state_->machine->Join(); }
ProcessKey World::self() const { return ok() ? state_->machine->self().key() : ProcessKey{}; }

Memory& World::memory() { return *state_->memory; }
Engine& World::engine() { return *state_->engine; }
Events& World::events() { return *state_->events; }

void World::Reap() {
  if (ok()) state_->machine->Reap();
}

std::vector<ProcessUse> World::Processes() {
  std::vector<ProcessUse> processes;
  if (!ok()) return processes;
  Machine& machine = *state_->machine;
  machine.Reap();
  const auto used = static_cast<uint32_t>(Get(machine.map().header().slots_used));
  for (uint32_t index = 0; index < used && index < kMaxProcesses; ++index) {
    const ProcessSlot& slot = machine.map().slot(index);
    if (!IsAlive(slot)) continue;
    ProcessUse& use = processes.emplace_back();
    use.key = {index, static_cast<uint32_t>(Get(slot.generation))};
    use.pid = static_cast<int32_t>(Get(slot.pid));
    use.pid_namespace = Get(slot.pid_namespace);
    use.start_time = Get(slot.start_time);
    use.uid = static_cast<uint32_t>(Get(slot.uid));
    use.name = CopyUntilNul(slot.name, sizeof(slot.name));
    for (int card = 0; card < machine.card_count(); ++card) {
      ProcessCardUse& on_card = use.cards.emplace_back();
      on_card.memory = machine.accounts(card).UsedBy(index);
      for (int kind = 0; kind < kEngineKinds; ++kind) {
        on_card.busy_ns[kind] = engine().BusyNs(card, static_cast<EngineKind>(kind), use.key);
      }
    }
  }
  return processes;
}

}  // namespace simgpu::world
