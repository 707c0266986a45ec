#include "simgpu/world/layout/header_check.h"

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <initializer_list>

#include "simgpu/world/layout/layout.h"
#include "simgpu/world/scenario/digest.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/sync/damage.h"

namespace simgpu::world {
namespace {

// 0: cannot be known (a chroot without /proc).
uint64_t BootId() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  return text.empty() ? 0 : Digest(text, 0);
}

bool IsFromBefore(uint64_t boot_id) {
  const uint64_t current = BootId();
  return boot_id != 0 && current != 0 && boot_id != current;
}

uint64_t Checksum(const Header& header) {
  uint64_t sum = Digest({header.scenario, header.scenario_bytes}, header.layout_version);
  for (const uint64_t field : {header.file_bytes, header.struct_sizes, header.world_id,
                               header.created_ns, header.boot_id, header.scenario_bytes}) {
    sum = Digest({reinterpret_cast<const char*>(&field), sizeof(field)}, sum);
  }
  return sum;
}

bool Refuse(std::string* reason, const std::string& why) {
  *reason = why;
  return false;
}

}  // namespace

void WriteHeader(Header& header, size_t file_bytes, uint64_t world_id, const Scenario& scenario) {
  const std::string text = PrintScenario(scenario);
  if (text.size() > kMaxScenarioBytes) StopForDamage("a scenario's text is over 128 KiB");
  header.magic = kMagic;
  header.layout_version = kLayoutVersion;
  header.file_bytes = file_bytes;
  header.struct_sizes = StructSizes();
  header.world_id = world_id;
  header.created_ns = NowNs();
  header.boot_id = BootId();
  header.scenario_bytes = text.size();
  std::memcpy(header.scenario, text.data(), text.size());
  header.checksum = Checksum(header);
}

bool ReadHeader(const Header& header, size_t file_bytes, Scenario* scenario, std::string* reason) {
  if (header.magic != kMagic) return Refuse(reason, "it is not a world file");
  if (header.layout_version != kLayoutVersion || header.struct_sizes != StructSizes()) {
    return Refuse(reason, "it was made by another version of simgpu");
  }
  if (header.file_bytes != file_bytes || header.scenario_bytes > kMaxScenarioBytes) {
    return Refuse(reason, "it is cut");
  }
  if (header.checksum != Checksum(header)) return Refuse(reason, "it is damaged");
  if (IsFromBefore(header.boot_id)) return Refuse(reason, "it is from before the last boot");
  ScenarioResult parsed = ParseScenario({header.scenario, header.scenario_bytes}, "world");
  if (!parsed.ok()) return Refuse(reason, "its scenario is damaged: " + parsed.error);
  if (Layout::Of(parsed.scenario).bytes != file_bytes) return Refuse(reason, "it is cut");
  *scenario = std::move(parsed.scenario);
  return true;
}

std::string DefaultSeed(const std::string& directory) {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return std::string(host) + ":" + directory;
}

}  // namespace simgpu::world
