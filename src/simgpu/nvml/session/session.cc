#include "simgpu/nvml/session/session.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "simgpu/nvml/session/api.h"
#include "simgpu/nvml/session/hang.h"

namespace simgpu::nvml {
namespace {

using world::World;
using world::WorldOptions;

struct Session {
  std::mutex mutex;             // of attaching
  std::atomic<int> inits{0};    // nvmlInit calls without their nvmlShutdown
  std::atomic<World*> world{};  // once attached it stays, so that no call can lose it
};

// A handle is the address of a card's place in here; the bytes mean nothing.
char g_handles[world::kMaxCards];

Session& TheSession();

// The child has one thread and its parent's memory: the lock may be held by a thread that is not
// there, and the attached world is the parent's.
void ForgetParent() {
  Session& session = TheSession();
  new (&session.mutex) std::mutex;
  session.world.store(nullptr, std::memory_order_relaxed);
}

Session& TheSession() {
  static Session* const session = [] {
    pthread_atfork(nullptr, nullptr, &ForgetParent);
    return new Session;
  }();
  return *session;
}

World* Attached(Session& session) {
  if (World* const world = session.world.load(std::memory_order_acquire)) return world;
  const std::lock_guard lock(session.mutex);
  if (World* const world = session.world.load(std::memory_order_relaxed)) return world;
  std::string error;
  std::unique_ptr<World> world = World::Open(WorldOptions::FromEnvironment(), &error);
  if (world == nullptr) {
    std::fprintf(stderr, "simgpu: %s\n", error.c_str());
    return nullptr;
  }
  session.world.store(world.get(), std::memory_order_release);
  return world.release();
}

nvmlReturn_t Initialize() {
  Session& session = TheSession();
  if (Attached(session) == nullptr) return NVML_ERROR_DRIVER_NOT_LOADED;
  session.inits.fetch_add(1, std::memory_order_acq_rel);
  return NVML_SUCCESS;
}

nvmlReturn_t Shutdown() {
  std::atomic<int>& inits = TheSession().inits;
  int count = inits.load(std::memory_order_acquire);
  do {
    if (count == 0) return NVML_ERROR_UNINITIALIZED;
  } while (!inits.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel));
  return NVML_SUCCESS;
}

}  // namespace

nvmlReturn_t Ready(World** world) {
  Session& session = TheSession();
  if (session.inits.load(std::memory_order_acquire) == 0) return NVML_ERROR_UNINITIALIZED;
  *world = Attached(session);
  return *world == nullptr ? NVML_ERROR_DRIVER_NOT_LOADED : NVML_SUCCESS;
}

nvmlReturn_t CardOf(nvmlDevice_t device, Card* card) {
  const nvmlReturn_t ready = Ready(&card->world);
  if (ready != NVML_SUCCESS) return ready;
  const uintptr_t place =
      reinterpret_cast<uintptr_t>(device) - reinterpret_cast<uintptr_t>(&g_handles[0]);
  if (place >= static_cast<uintptr_t>(card->world->card_count()))
    return NVML_ERROR_INVALID_ARGUMENT;
  card->index = static_cast<int>(place);
  WaitWhileHanging(*card->world, card->index);
  return NVML_SUCCESS;
}

nvmlDevice_t HandleOf(int card_index) {
  return reinterpret_cast<nvmlDevice_t>(&g_handles[card_index]);
}

}  // namespace simgpu::nvml

nvmlReturn_t nvmlInit() { return simgpu::nvml::Initialize(); }
nvmlReturn_t nvmlInit_v2() { return simgpu::nvml::Initialize(); }
nvmlReturn_t nvmlInitWithFlags(unsigned) { return simgpu::nvml::Initialize(); }
nvmlReturn_t nvmlShutdown() { return simgpu::nvml::Shutdown(); }
