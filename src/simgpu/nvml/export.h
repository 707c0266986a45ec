// Marks an NVML function as exported. The library is built with hidden visibility and a version
// script, so nothing else leaves it.
#pragma once

#define SIMGPU_EXPORT extern "C" __attribute__((visibility("default")))
