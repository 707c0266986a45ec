// Asking NVML: an answer, or none when the card does not have the thing or the library does not
// know the question. The two are shown alike, as N/A.
#pragma once

#include <optional>
#include <string>

#include "simgpu/smi/library.h"

namespace simgpu::smi {

template <typename Value>
std::optional<Value> Ask(nvmlReturn_t (*function)(nvmlDevice_t, Value*), nvmlDevice_t device) {
  Value value{};
  if (function == nullptr || function(device, &value) != NVML_SUCCESS) return std::nullopt;
  return value;
}

template <typename Value, typename About>
std::optional<Value> Ask(nvmlReturn_t (*function)(nvmlDevice_t, About, Value*), nvmlDevice_t device,
                         About about) {
  Value value{};
  if (function == nullptr || function(device, about, &value) != NVML_SUCCESS) return std::nullopt;
  return value;
}

template <typename First, typename Second>
struct Both {
  First first{};
  Second second{};
};

// Functions with two answers.
template <typename First, typename Second>
std::optional<Both<First, Second>> AskBoth(nvmlReturn_t (*function)(nvmlDevice_t, First*, Second*),
                                           nvmlDevice_t device) {
  Both<First, Second> both;
  if (function == nullptr || function(device, &both.first, &both.second) != NVML_SUCCESS) {
    return std::nullopt;
  }
  return both;
}

inline std::optional<std::string> AskText(nvmlReturn_t (*function)(nvmlDevice_t, char*, unsigned),
                                          nvmlDevice_t device) {
  char text[256] = "";
  if (function == nullptr || function(device, text, sizeof(text)) != NVML_SUCCESS) {
    return std::nullopt;
  }
  return text;
}

}  // namespace simgpu::smi
