// The shapes NVML's answers have, each with the checks NVML makes before it answers: initialised,
// the handle, the pointers, the version of a struct, the room in a buffer. A function says only
// what the answer is.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "simgpu/nvml/session/session.h"

// Returns from the calling function with the error that `expression` gives, if it is one.
#define SIMGPU_TRY(expression)                                                      \
  if (const nvmlReturn_t simgpu_error = (expression); simgpu_error != NVML_SUCCESS) \
  return simgpu_error

// Returns from the calling function with `error` unless `condition` holds.
#define SIMGPU_REQUIRE(condition, error) \
  if (!(condition)) return error

namespace simgpu::nvml {

// One value: `say(card)` is put into *out.
template <typename Out, typename Say>
nvmlReturn_t Tell(nvmlDevice_t device, Out* out, Say say) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(out != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  *out = static_cast<Out>(say(card));
  return NVML_SUCCESS;
}

// A value and the one that will hold after the next reset, which is always the same here.
template <typename Out, typename Say>
nvmlReturn_t TellCurrentAndPending(nvmlDevice_t device, Out* current, Out* pending, Say say) {
  SIMGPU_TRY(Tell(device, current, say));
  return Tell(device, pending, say);
}

// A struct whose `version` the caller has set: `fill(card, *out)` answers.
template <typename Out, typename Fill>
nvmlReturn_t TellVersioned(nvmlDevice_t device, Out* out, unsigned version, Fill fill) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(out != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(out->version == version, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  fill(card, *out);
  return NVML_SUCCESS;
}

inline nvmlReturn_t GiveText(std::string_view text, char* buffer, unsigned length) {
  SIMGPU_REQUIRE(buffer != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(text.size() < length, NVML_ERROR_INSUFFICIENT_SIZE);
  std::memcpy(buffer, text.data(), text.size());
  buffer[text.size()] = '\0';
  return NVML_SUCCESS;
}

struct TextBuffer {
  char* bytes;
  unsigned length;
};

// `say(card)` gives text; empty text means that the card has no such thing.
template <typename Say>
nvmlReturn_t TellText(nvmlDevice_t device, TextBuffer buffer, Say say) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(buffer.bytes != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  const auto text = say(card);
  SIMGPU_REQUIRE(!text.empty(), NVML_ERROR_NOT_SUPPORTED);
  return GiveText(text, buffer.bytes, buffer.length);
}

// A list. In: *count is the room in `out`; out: how many there are. Where they do not fit, nothing
// but the count is given.
template <typename Item>
nvmlReturn_t GiveList(const std::vector<std::type_identity_t<Item>>& items, unsigned* count,
                      Item* out) {
  SIMGPU_REQUIRE(count != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  const unsigned room = out == nullptr ? 0 : *count;
  *count = static_cast<unsigned>(items.size());
  SIMGPU_REQUIRE(items.size() <= room, NVML_ERROR_INSUFFICIENT_SIZE);
  std::copy(items.begin(), items.end(), out);
  return NVML_SUCCESS;
}

// Where the answer is the same for all cards of this kind.
inline nvmlReturn_t CheckDevice(nvmlDevice_t device) {
  Card card;
  return CardOf(device, &card);
}

}  // namespace simgpu::nvml
