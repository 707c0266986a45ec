#include "bench/packing/trace.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "bench/packing/csv.h"
#include "policy/place/card.h"

namespace warpshare::bench {

namespace {

constexpr char kNodeFile[] = "openb_node_list_gpu_node.csv";
constexpr std::string_view kPodPrefix = "openb_pod_list_";
constexpr std::string_view kPodSuffix = ".csv";
constexpr uint64_t kWholeMilli = 1000;
constexpr Bytes kCardMemory = 1000_MiB;  // pods ask for parts of it, so any amount will do

GpuUuid MakeUuid(size_t node, size_t card) {
  std::array<uint8_t, 16> bytes = {};
  for (size_t i = 0; i < 4; ++i) {
    bytes[i] = static_cast<uint8_t>(node >> (24 - 8 * i));
    bytes[12 + i] = static_cast<uint8_t>(card >> (24 - 8 * i));
  }
  return GpuUuid(bytes);
}

Failure BadRow(std::string_view what, size_t row) {
  return Fail(Errc::kInvalid, std::string(what) + ": no number where one should be, in row " +
                                  std::to_string(row + 2));
}

std::vector<std::string> SplitModels(std::string_view text) {
  std::vector<std::string> models;
  while (!text.empty()) {
    const size_t bar = text.find('|');
    models.emplace_back(text.substr(0, bar));
    text.remove_prefix(bar == text.npos ? text.size() : bar + 1);
  }
  return models;
}

Result<TracePod> ReadPod(const Csv& csv, size_t row, std::string_view file) {
  const auto cpu = csv.Number(row, "cpu_milli");
  const auto memory = csv.Number(row, "memory_mib");
  const auto cards = csv.Number(row, "num_gpu");
  const auto milli = csv.Number(row, "gpu_milli");
  if (!cpu || !memory || !cards || !milli || *milli > kWholeMilli) return BadRow(file, row);
  request::ContainerRequest container{.name = "main", .cards = static_cast<uint32_t>(*cards)};
  container.whole = *milli == kWholeMilli;
  container.cores_percent = container.whole ? request::kWholeCardCores : 0;
  container.memory =
      MemoryAmount::Share(static_cast<uint32_t>(*milli * MemoryAmount::kWhole / kWholeMilli));
  TracePod pod{.milli = *cards * *milli};
  pod.request.containers.push_back(std::move(container));
  pod.request.wishes.use_models = SplitModels(csv.Text(row, "gpu_spec"));
  pod.request.host = {.cpu_milli = *cpu, .memory = Bytes(*memory << 20)};
  return pod;
}

Result<PodList> ReadPodList(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  auto csv = Csv::Read(path.string());
  if (!csv) return Forward(csv);
  if (!csv->Has("num_gpu") || !csv->Has("gpu_milli") || !csv->Has("cpu_milli"))
    return Fail(Errc::kInvalid, file + ": has not the columns of an openb pod list");
  PodList list{
      .trace = file.substr(kPodPrefix.size(), file.size() - kPodPrefix.size() - kPodSuffix.size())};
  for (size_t row = 0; row < csv->rows(); ++row) {
    auto pod = ReadPod(*csv, row, file);
    if (!pod) return Forward(pod);
    list.pods.push_back(std::move(*pod));
  }
  return list;
}

}  // namespace

Result<std::vector<place::NodeSpec>> ReadNodes(const std::string& folder) {
  auto csv = Csv::Read(folder + "/" + kNodeFile);
  if (!csv) return Forward(csv);
  std::vector<place::NodeSpec> nodes;
  for (size_t row = 0; row < csv->rows(); ++row) {
    const auto cpu = csv->Number(row, "cpu_milli");
    const auto memory = csv->Number(row, "memory_mib");
    const auto cards = csv->Number(row, "gpu");
    if (!cpu || !memory || !cards || *cards > place::kMaxCardsPerNode)
      return BadRow(kNodeFile, row);
    place::NodeSpec node{.name = std::string(csv->Text(row, "sn")),
                         .cpu_milli = *cpu,
                         .memory = Bytes(*memory << 20)};
    for (size_t card = 0; card < *cards; ++card)
      node.cards.push_back({.uuid = MakeUuid(row, card),
                            .model = std::string(csv->Text(row, "model")),
                            .memory = kCardMemory,
                            .slots = 1000});
    nodes.push_back(std::move(node));
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return nodes;
}

Result<std::vector<PodList>> ReadPodLists(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPodPrefix) && name.ends_with(kPodSuffix)) paths.push_back(entry.path());
  }
  if (error) return Fail(SystemError(folder, error.value()));
  if (paths.empty()) return Fail(Errc::kNotFound, folder + ": no openb_pod_list_*.csv is there");
  std::sort(paths.begin(), paths.end());
  std::vector<PodList> lists;
  for (const auto& path : paths) {
    auto list = ReadPodList(path);
    if (!list) return Forward(list);
    lists.push_back(std::move(*list));
  }
  return lists;
}

}  // namespace warpshare::bench
