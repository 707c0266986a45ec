#include "simgpu/world/sync/damage.h"

#include <cstdio>
#include <cstdlib>

namespace simgpu::world {

void StopForDamage(const char* what) {
  std::fprintf(stderr,
               "simgpu: %s. End the processes that use this world and remove its directory "
               "(SIMGPU_WORLD).\n",
               what);
  std::abort();
}

}  // namespace simgpu::world
