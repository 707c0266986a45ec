// What may be changed, and by whom.
#pragma once

#include "simgpu/nvml/session/session.h"

namespace simgpu::nvml {

// Answers a request to change a setting. NVML_ERROR_NO_PERMISSION for all but root;
// NVML_ERROR_NOT_SUPPORTED for a value that the setting cannot have.
nvmlReturn_t Change(nvmlDevice_t device, bool to_what_it_is);

}  // namespace simgpu::nvml
