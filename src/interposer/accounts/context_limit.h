// What a context's limit makes the driver take of the card.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/driver/cuda_types.h"

namespace warpshare::interposer {

// The most that the current context may take more when a limit is changed: OverheadCall::kNothing,
// kUnknown, or bytes.
uint64_t MostTakenByLimit(CUlimit limit, size_t before, size_t after);

}  // namespace warpshare::interposer
