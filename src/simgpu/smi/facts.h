// Facts about a card by the names users know from `--query-gpu`: each as text, with its unit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "simgpu/smi/machine.h"

namespace simgpu::smi {

struct Fact {
  std::string_view name;   // "memory.total"
  std::string_view alias;  // "gpu_name" for "name"; empty: none
  std::string_view unit;   // "MiB"; empty: a plain value
  std::string_view about;  // a line of help
  std::optional<std::string> (*read)(const Card& card, const Machine& machine);
};

std::span<const Fact> AllFacts();
const Fact* FindFact(std::string_view name);  // by name or alias; null: unknown

// The value with its unit, "[N/A]" where the card has none.
std::string Show(const Fact& fact, const Card& card, const Machine& machine);
std::string Show(std::string_view name, const Card& card, const Machine& machine);

std::string TimeStamp();  // "2025/09/14 20:01:02.345", local time

}  // namespace simgpu::smi
