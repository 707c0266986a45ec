// What -q shows of a card, as text and as XML.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simgpu/smi/machine.h"

namespace simgpu::smi {

// A label and the fact behind it. Without a fact, the label is a heading of those that follow and
// are deeper.
struct Detail {
  std::string_view section;  // as -d names it
  int depth;                 // from 1
  std::string_view label;
  std::string_view fact;
  std::string_view element;  // in XML
};

std::span<const Detail> AllDetails();

bool IsWanted(std::string_view section, const std::vector<std::string>& sections);

// The fact with its unit, or N/A; empty for a heading.
std::string Value(const Detail& detail, const Card& card, const Machine& machine);

}  // namespace simgpu::smi
