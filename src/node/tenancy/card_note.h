// The file `cards` of a tenant: what people call the cards that the limits page knows by uuid. One
// line a card: index, uuid and name, with tabs between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/nvml/nvml.h"
#include "result/result.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

struct NotedCard {
  uint32_t index;
  GpuUuid uuid;
  std::string name;
};

Result<void> WriteCardNote(const std::string& path, const std::vector<platform::Card>& cards);

// Lines that make no sense are left out: the note is a comfort, nothing depends on it.
std::vector<NotedCard> ReadCardNote(const std::string& path);
std::vector<NotedCard> ParseCardNote(std::string_view text);

}  // namespace warpshare::node
