// A node for tests: a kubelet of platform/kubelet/fake, two cards of 40 GiB, pods as the test says,
// and the device plugin as the daemon runs it, with real sockets and files.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "node/device_plugin/fake/fake_assignments.h"
#include "node/device_plugin/plugin_service.h"
#include "platform/kubelet/fake/fake_kubelet.h"

namespace warpshare::node {

// Faults that a test puts in, and cards that it takes away.
class FakeCardEvents final : public platform::CardEvents {
 public:
  void Put(const platform::CardFault& fault);
  std::optional<platform::CardFault> Wait(std::chrono::milliseconds patience) override;
  std::optional<Bytes> Ask(const platform::Card& card) override;
  void SetAnswers(bool answers) { answers_ = answers; }
  void SetUsed(Bytes used) { used_ = used.count(); }
  void Hang(const GpuUuid& card);
  void Release();  // those that hang

 private:
  std::mutex mutex_;
  std::condition_variable put_;
  std::deque<platform::CardFault> faults_;
  std::condition_variable released_;
  std::set<GpuUuid> hanging_;
  std::atomic<bool> answers_ = true;
  std::atomic<uint64_t> used_ = 0;
};

class KeptLog final : public platform::Log {
 public:
  void Line(std::string_view text) override;
  bool Has(const std::string& text);

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

// What the kubelet tells of another plugin's devices.
class FakePodResources final : public platform::PodResources {
 public:
  // To the pod "default/<name>"; no devices: it has ended.
  void Give(const std::string& name, platform::DeviceIds ids);
  void StopAnswering() { answers_ = false; }
  Result<std::vector<platform::PodDevices>> List() override;

 private:
  std::mutex mutex_;
  std::map<std::string, platform::DeviceIds> given_;
  std::atomic<bool> answers_ = true;
};

// What the node says of its pods. An assignment is written to the source, as the API server would.
class FakeVoice final : public PodVoice {
 public:
  explicit FakeVoice(FakeAssignments& source) : source_(source) {}
  void WriteAssignment(const PodOnNode& pod, const std::string& text) override;
  void Warn(const PodOnNode& pod, const std::string& reason, const std::string& message) override;
  std::vector<std::string> Warnings();

 private:
  FakeAssignments& source_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

class PluginFixture : public testing::Test {
 protected:
  static constexpr uint32_t kSplit = 40;

  PluginFixture();
  ~PluginFixture() override;

  void StartPlugin();
  void StopPlugin() { plugin_.reset(); }

  // A pod with one container `main`, which asks for a part of a card; bound with an assignment
  // unless `card` is none. The kubelet admits it.
  void Bind(const std::string& uid, Bytes memory, uint32_t cores, std::optional<size_t> card);
  void AddPod(const std::string& uid, std::vector<request::ContainerRequest> containers,
              const std::string& assignment);
  Result<void> Admit(const std::string& uid);
  request::ContainerRequest Asks(
      const std::string& name, Bytes memory, uint32_t cores = 0,
      request::ContainerKind kind = request::ContainerKind::kOrdinary) const;
  std::string AssignmentOf(const std::vector<request::ContainerRequest>& containers,
                           size_t card) const;

  // What the container that was started finds at the tenant's fixed path.
  static platform::Limits LimitsIn(const platform::ContainerEdits& edits);
  static std::string HostPath(const platform::ContainerEdits& edits, const std::string& in);

  std::string root_;
  std::string driver_folder_;  // empty: nothing of a driver is given to containers
  std::vector<platform::Card> cards_;
  std::unique_ptr<platform::FakeKubelet> kubelet_;
  FakeAssignments source_;
  FakeVoice voice_{source_};
  std::unique_ptr<Lingering> lingering_;
  FakePodResources* others_ = nullptr;  // of taken_
  std::unique_ptr<TakenCards> taken_;
  std::shared_ptr<FakeCardEvents> shared_events_ = std::make_shared<FakeCardEvents>();
  FakeCardEvents& events_ = *shared_events_;
  KeptLog log_;
  platform::SystemClock clock_;
  Result<platform::LinuxChangeWatch> watch_ = platform::LinuxChangeWatch::Open();
  std::unique_ptr<LibraryStore> libraries_;
  std::unique_ptr<ResetNotes> notes_;
  std::unique_ptr<CardWatch> card_watch_;
  Readiness readiness_;
  std::unique_ptr<PluginService> plugin_;
  std::map<std::string, platform::FakePod> pods_;
};

}  // namespace warpshare::node
