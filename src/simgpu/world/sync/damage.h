// The end for a process that finds the shared world overwritten by something that is not simgpu: a
// word to stderr, then abort(). Going on would spread the damage to every process attached.
#pragma once

namespace simgpu::world {

[[noreturn]] void StopForDamage(const char* what);

}  // namespace simgpu::world
