#include "node/device_plugin/fake/plugin_fixture.h"

#include "abi/names/env.h"

namespace warpshare::node {

namespace fs = std::filesystem;
using request::ContainerKind;
using request::ContainerRequest;

void FakeCardEvents::Put(const platform::CardFault& fault) {
  const std::scoped_lock held(mutex_);
  faults_.push_back(fault);
  put_.notify_all();
}

std::optional<platform::CardFault> FakeCardEvents::Wait(std::chrono::milliseconds patience) {
  std::unique_lock held(mutex_);
  if (!put_.wait_for(held, patience, [this] { return !faults_.empty(); })) return std::nullopt;
  const platform::CardFault fault = faults_.front();
  faults_.pop_front();
  return fault;
}

std::optional<Bytes> FakeCardEvents::Ask(const platform::Card& card) {
  std::unique_lock held(mutex_);
  released_.wait(held, [&] { return !hanging_.contains(card.uuid); });
  if (!answers_) return std::nullopt;
  return Bytes(used_);
}

void FakeCardEvents::Hang(const GpuUuid& card) {
  const std::scoped_lock held(mutex_);
  hanging_.insert(card);
}

void FakeCardEvents::Release() {
  const std::scoped_lock held(mutex_);
  hanging_.clear();
  released_.notify_all();
}

void KeptLog::Line(std::string_view text) {
  const std::scoped_lock held(mutex_);
  lines_.emplace_back(text);
}

bool KeptLog::Has(const std::string& text) {
  const std::scoped_lock held(mutex_);
  return std::ranges::any_of(
      lines_, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

void FakePodResources::Give(const std::string& name, platform::DeviceIds ids) {
  const std::scoped_lock held(mutex_);
  given_[name] = std::move(ids);
}

Result<std::vector<platform::PodDevices>> FakePodResources::List() {
  if (!answers_) return Fail(Errc::kUnavailable, "the kubelet does not answer");
  const std::scoped_lock held(mutex_);
  std::vector<platform::PodDevices> pods;
  for (const auto& [name, ids] : given_) {
    pods.push_back({.name_space = "default", .name = name, .containers = {}});
    if (!ids.empty()) pods.back().containers.push_back({"main", ids});
  }
  return pods;
}

void FakeVoice::WriteAssignment(const PodOnNode& pod, const std::string& text) {
  source_.Edit(pod.request.pod_uid, text);
}

void FakeVoice::Warn(const PodOnNode&, const std::string& reason, const std::string& message) {
  const std::scoped_lock held(mutex_);
  warnings_.push_back(reason + ": " + message);
}

std::vector<std::string> FakeVoice::Warnings() {
  const std::scoped_lock held(mutex_);
  return warnings_;
}

PluginFixture::PluginFixture() {
  char pattern[] = "/tmp/device_plugin_test.XXXXXX";
  root_ = mkdtemp(pattern);
  for (uint8_t i = 0; i < 2; ++i)
    cards_.push_back({.index = i,
                      .uuid = GpuUuid(std::array<uint8_t, 16>{i, 0xab}),
                      .name = "Test Card",
                      .total = 40_GiB,
                      .used = 0_B,
                      .numa_node = i});
  kubelet_ = std::make_unique<platform::FakeKubelet>(root_ + "/kubelet");
  libraries_ = std::make_unique<LibraryStore>(LibraryStore::Open(root_ + "/libraries").value());
  notes_ = std::make_unique<ResetNotes>(StateDir::Open(root_ + "/state", IfMissing::kMake).value());
  card_watch_ = std::make_unique<CardWatch>(
      cards_,
      CardWatch::Ports{.events = shared_events_, .notes = *notes_, .clock = clock_, .log = log_});
  auto others = std::make_unique<FakePodResources>();
  others_ = others.get();
  taken_ = std::make_unique<TakenCards>(std::move(others), "node-a", *card_watch_, log_);
}

PluginFixture::~PluginFixture() {
  events_.Release();
  plugin_.reset();
  kubelet_.reset();
  fs::remove_all(root_);
}

void PluginFixture::StartPlugin() {
  const size_t before = kubelet_->registrations();
  const std::string libraries =
      libraries_->Install("test", {{kPreloadFile, PreloadText()}}).value();
  const PluginSetup setup{.kubelet_folder = root_ + "/kubelet",
                          .node_name = "node-a",
                          .split = kSplit,
                          .surroundings = {.interposer_folder = libraries,
                                           .driver_files = {},
                                           .device_nodes = {"/dev/nvidiactl"},
                                           .driver_folder = driver_folder_}};
  const StateDir state = StateDir::Open(root_ + "/state", IfMissing::kMake).value();
  if (!lingering_) lingering_ = std::make_unique<Lingering>(state, "node-a");
  plugin_ = std::make_unique<PluginService>(state, setup,
                                            PluginService::Ports{.source = source_,
                                                                 .voice = voice_,
                                                                 .lingering = *lingering_,
                                                                 .taken = *taken_,
                                                                 .cards = *card_watch_,
                                                                 .readiness = readiness_,
                                                                 .watch = *watch_,
                                                                 .libraries = *libraries_,
                                                                 .clock = clock_,
                                                                 .log = log_});
  ASSERT_TRUE(kubelet_->AwaitRegistrations(before + 1));
  ASSERT_TRUE(kubelet_->AwaitHealthy(size_t{kSplit} * cards_.size()));
}

ContainerRequest PluginFixture::Asks(const std::string& name, Bytes memory, uint32_t cores,
                                     ContainerKind kind) const {
  return {
      .name = name,
      .kind = kind,
      .cards = 1,
      .memory = MemoryAmount::Of(memory),
      .cores_percent = cores,
      .compute = cores == 0 ? request::Compute{} : request::Compute{.mode = share::Mode::kHard}};
}

std::string PluginFixture::AssignmentOf(const std::vector<ContainerRequest>& containers,
                                        size_t card) const {
  request::Assignment assignment{.node = "node-a", .containers = {}};
  for (const ContainerRequest& asked : containers)
    assignment.containers.push_back({asked.name,
                                     {{.uuid = cards_[card].uuid,
                                       .memory = asked.memory.On(cards_[card].total),
                                       .cores_percent = asked.cores_percent,
                                       .whole = asked.whole,
                                       .compute = asked.compute}}});
  return request::Encode(assignment);
}

void PluginFixture::AddPod(const std::string& uid, std::vector<ContainerRequest> containers,
                           const std::string& assignment) {
  using Kind = platform::FakeContainer::Kind;
  platform::FakePod pod{.uid = uid, .name = "pod-" + uid, .containers = {}};
  for (const ContainerRequest& asked : containers)
    pod.containers.push_back({asked.name, asked.cards,
                              asked.kind == ContainerKind::kInit      ? Kind::kInit
                              : asked.kind == ContainerKind::kSidecar ? Kind::kSidecar
                                                                      : Kind::kOrdinary});
  pods_[uid] = pod;
  PodOnNode known{.request = {}, .node = "node-a", .untrusted_assignment = assignment};
  known.request.namespace_name = "default";
  known.request.pod_name = pod.name;
  known.request.pod_uid = uid;
  known.request.containers = std::move(containers);
  source_.Add(std::move(known));
}

void PluginFixture::Bind(const std::string& uid, Bytes memory, uint32_t cores,
                         std::optional<size_t> card) {
  const std::vector<ContainerRequest> containers = {Asks("main", memory, cores)};
  AddPod(uid, containers, card ? AssignmentOf(containers, *card) : "");
  const auto admitted = Admit(uid);
  ASSERT_TRUE(admitted) << admitted.error().message;
}

Result<void> PluginFixture::Admit(const std::string& uid) { return kubelet_->Admit(pods_.at(uid)); }

std::string PluginFixture::HostPath(const platform::ContainerEdits& edits, const std::string& in) {
  const auto mount = std::ranges::find(edits.mounts, in, &platform::MountEdit::container_path);
  return mount == edits.mounts.end() ? "" : mount->host_path;
}

platform::Limits PluginFixture::LimitsIn(const platform::ContainerEdits& edits) {
  const auto limits =
      platform::ReadLimitsFile(HostPath(edits, abi::kFixedTenantDir) + "/" + abi::kLimitsFile);
  EXPECT_TRUE(limits) << limits.error().message;
  return limits.value_or(platform::Limits{});
}

}  // namespace warpshare::node
