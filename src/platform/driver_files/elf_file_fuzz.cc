#include <cstdint>

#include "platform/driver_files/elf_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)warpshare::platform::ParseElf({reinterpret_cast<const char*>(data), size});
  return 0;
}
