// Threads of the driver inside the program's process.
#pragma once

#include <functional>

namespace simgpu::cuda {

// Starts a thread that takes no signals, keeps nobody from exiting, and sleeps precisely. False
// when the system has none left.
bool StartThread(const char* name, std::function<void()> body);

}  // namespace simgpu::cuda
