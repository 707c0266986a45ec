// The keys of a scenario that describe a card: one table for reading and writing, docs/simgpu.md
// lists them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "simgpu/world/scenario.h"

namespace simgpu::world {

struct CardKey {
  std::string_view name;
  bool (*read)(CardSpec& card, std::string_view value, std::string* error);
  std::string (*write)(const CardSpec& card);  // empty: not written
};

std::span<const CardKey> CardKeys();

bool IsPlainText(std::string_view text, std::string* error);  // fit to be a name

// The rest of Scenario's text: "xid = 79 after 1500ms" (may be repeated), "0-1 = NV4".
bool ReadXid(std::string_view value, ScheduledXid* xid, std::string* error);
bool ReadLink(std::string_view value, Link* link, std::string* error);
std::string WriteLink(const Link& link);

}  // namespace simgpu::world
