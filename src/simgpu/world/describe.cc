#include <cstdarg>
#include <cstdio>

#include "simgpu/world/world.h"

namespace simgpu::world {
namespace {

constexpr uint64_t kUtilizationWindowNs = 1'000'000'000;

__attribute__((format(printf, 2, 3))) void Append(std::string* text, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  *text += line;
}

void AppendCard(World& world, int index, std::string* text) {
  const CardSpec& card = world.card(index);
  const MemoryUse use = world.memory().Use(index);
  Append(text, "card %d  %s  %s  %s\n", index, card.name.c_str(), UuidText(card.uuid).c_str(),
         PciText(card.pci).c_str());
  Append(text, "  memory %llu of %llu MiB, busy %.1f ms, utilization %.0f %%\n",
         static_cast<unsigned long long>(use.used / kMiB),
         static_cast<unsigned long long>(use.total / kMiB),
         static_cast<double>(world.engine().CardBusyNs(index, EngineKind::kCompute)) / 1e6,
         100 * world.engine().Utilization(index, EngineKind::kCompute, kUtilizationWindowNs));
}

void AppendProcess(const ProcessUse& process, std::string* text) {
  for (size_t card = 0; card < process.cards.size(); ++card) {
    const ProcessCardUse& use = process.cards[card];
    Append(text, "  pid %d  card %zu  memory %llu MiB  busy %.1f ms  %s\n", process.pid, card,
           static_cast<unsigned long long>(use.memory.total() / kMiB),
           static_cast<double>(use.busy_ns[static_cast<uint32_t>(EngineKind::kCompute)]) / 1e6,
           process.name.c_str());
  }
}

}  // namespace

std::string DescribeWorld(World& world) {
  std::string text;
  if (!world.ok()) return "no world: " + world.error() + "\n";
  Append(&text, "world %s\n", world.directory().c_str());
  for (int card = 0; card < world.card_count(); ++card) AppendCard(world, card, &text);
  const std::vector<ProcessUse> processes = world.Processes();
  Append(&text, "%zu processes\n", processes.size());
  for (const ProcessUse& process : processes) AppendProcess(process, &text);
  return text;
}

}  // namespace simgpu::world
