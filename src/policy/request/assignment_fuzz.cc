// Whatever an annotation says: an error, or an assignment whose text it is.
#include <cstdint>
#include <cstdlib>

#include "policy/request/assignment.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto assignment = warpshare::request::DecodeAssignment(text);
  if (assignment && Encode(*assignment) != text) std::abort();
  return 0;
}
