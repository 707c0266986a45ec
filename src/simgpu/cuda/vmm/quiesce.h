// Before addresses lose their memory, work that may still use it has to end.
#pragma once

namespace simgpu::cuda {

// Waits for the work of the current context and of all live primary contexts.
void WaitForWork();

}  // namespace simgpu::cuda
