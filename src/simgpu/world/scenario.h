// What a simulated machine consists of: its cards, how they are linked, how fast they are, and what
// goes wrong when. Built from defaults, then a scenario file (SIMGPU_SCENARIO), then SIMGPU_*
// variables; docs/simgpu.md is the reference. The process that creates a world stores the scenario
// in it as text; every later process reads that text, so all agree.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simgpu::world {

inline constexpr int kMaxCards = 32;
inline constexpr uint64_t kKiB = uint64_t{1} << 10;
inline constexpr uint64_t kMiB = uint64_t{1} << 20;
inline constexpr uint64_t kGiB = uint64_t{1} << 30;

struct PciAddress {
  uint32_t domain = 0;
  uint32_t bus = 0;
  uint32_t device = 0;
};

// A fault that the card reports at a set time after the world's creation.
struct ScheduledXid {
  uint32_t xid = 0;
  uint64_t after_ns = 0;
};

// What NVML's list of processes says of a process's memory: in containers real drivers may say 0
// bytes, or that it is not known.
enum class ProcessMemory : uint8_t { kReported, kHidden, kUnknown };

// Whose pids NVML's samples of utilisation have: of the caller's namespace, or of the outermost.
enum class UtilizationPids : uint8_t { kContainer, kHost };

struct CardSpec {
  std::string name = "SimGPU-A100";
  std::array<uint8_t, 16> uuid{};  // never all zero once a world exists
  std::string serial;
  PciAddress pci;
  static constexpr int kNumaNodeUnset = -2;
  int numa_node = kNumaNodeUnset;  // -1: none; never unset once a world exists

  uint64_t memory_bytes = 40 * kGiB;
  uint32_t memory_bus_bits = 5120;
  uint32_t memory_clock_mhz = 1215;

  uint32_t sm_count = 108;
  uint32_t sm_clock_mhz = 1410;
  int compute_major = 8;
  int compute_minor = 0;
  uint64_t l2_bytes = 40 * kMiB;
  uint32_t power_limit_watts = 400;
  uint32_t pcie_generation = 4;
  uint32_t pcie_lanes = 16;

  uint64_t context_bytes = 300 * kMiB;  // charged for each context
  uint64_t module_bytes = 2 * kMiB;     // charged for each loaded module or library
  uint64_t function_bytes = 0;          // and for each of their functions once it is used
  uint64_t graph_exec_bytes = 0;        // for each executable graph, on the current context's card

  uint64_t slice_ns = 2'000'000;  // a process's turn on an engine while another waits
  uint64_t switch_ns = 0;         // lost by the compute engine when another process gets its turn
  uint64_t event_ns = 0;   // a stream's next work begins so much later for an event before it
  uint64_t kernel_ns = 0;  // every kernel lasts this long; 0: estimated from its grid
  uint64_t host_to_device_bps = 25'000'000'000;  // bytes per second
  uint64_t device_to_host_bps = 25'000'000'000;
  uint64_t device_to_device_bps = 1'300'000'000'000;
  uint64_t peer_bps = 25'000'000'000;  // to another card without NVLink
  uint64_t copy_latency_ns = 2'000;    // added to every copy

  ProcessMemory process_memory = ProcessMemory::kReported;
  UtilizationPids utilization_pids = UtilizationPids::kContainer;

  std::vector<ScheduledXid> xids;
};

// How two cards are joined, in the words of `nvidia-smi topo -m`, closest first.
enum class LinkKind : uint8_t { kSelf, kNvlink, kPix, kPxb, kPhb, kNode, kSys };

struct Link {
  LinkKind kind = LinkKind::kSys;
  uint32_t lanes = 0;  // NVLinks between the pair; 0 unless kNvlink
};

inline constexpr uint64_t kNvlinkBps = 25'000'000'000;  // of one NVLink, each way

struct Scenario {
  std::string driver_version = "580.65.06";
  std::vector<CardSpec> cards;

  // `links` holds what the scenario names, [a * cards.size() + b]; LinkBetween fills in the rest
  // from the NUMA nodes.
  std::vector<Link> links;
  Link LinkBetween(int a, int b) const;
};

// Nothing here throws. On failure `error` says where (file and line, or variable), what is wrong
// and what would be right.
struct ScenarioResult {
  Scenario scenario;
  std::string error;
  bool ok() const { return error.empty(); }
};

// Where settings come from; the default value reads the process's environment.
struct ScenarioSource {
  std::string file{};      // path; empty: none
  std::string cards{};     // SIMGPU_CARDS
  std::string memory{};    // SIMGPU_MEMORY
  std::string name{};      // SIMGPU_NAME
  std::string sm_count{};  // SIMGPU_SM_COUNT
  std::string context{};   // SIMGPU_CONTEXT_MEMORY
  std::string module{};    // SIMGPU_MODULE_MEMORY
  std::string slice{};     // SIMGPU_SLICE
  std::string kernel{};    // SIMGPU_KERNEL_DURATION

  static ScenarioSource FromEnvironment();
  bool empty() const;  // nothing was asked for: an existing world is taken as it is
};

// `seed` makes uuids that no scenario names: the same seed gives the same cards.
ScenarioResult LoadScenario(const ScenarioSource& source, std::string_view seed);
ScenarioResult ParseScenario(std::string_view text, std::string_view file_name);
std::string PrintScenario(const Scenario& scenario);  // ParseScenario reads it back unchanged

std::string UuidText(const std::array<uint8_t, 16>& uuid);  // "GPU-8-4-4-4-12"
std::string PciText(const PciAddress& pci);                 // "00000000:07:00.0"

}  // namespace simgpu::world
