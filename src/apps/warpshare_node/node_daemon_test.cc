// The program itself, on simulated cards, with the kubelet of platform/kubelet/fake.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "abi/names/env.h"
#include "platform/kubelet/fake/fake_kubelet.h"
#include "platform/nvml/nvml.h"
#include "platform/region_file/limits_file.h"

namespace warpshare {
namespace {

namespace fs = std::filesystem;

constexpr size_t kCards = 2;
constexpr size_t kSplit = 16;

class NodeDaemonTest : public testing::Test {
 protected:
  NodeDaemonTest() {
    char pattern[] = "/tmp/node_daemon_test.XXXXXX";
    root_ = mkdtemp(pattern);
    setenv("SIMGPU_WORLD", (root_ + "/world").c_str(), 1);
    setenv("SIMGPU_CARDS", std::to_string(kCards).c_str(), 1);
    kubelet_ = std::make_unique<platform::FakeKubelet>(root_ + "/kubelet");
    WritePods("");
  }
  ~NodeDaemonTest() override {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      (void)AwaitEnd();
    }
    kubelet_.reset();
    fs::remove_all(root_);
  }

  void Start(const std::vector<std::string>& cards = {"--sim"}, size_t healthy = kCards) {
    const size_t before = kubelet_->registrations();
    std::vector<std::string> words = {program_,       "--kubelet-dir",  root_ + "/kubelet",
                                      "--state-dir",  root_ + "/state", "--install-dir",
                                      root_ + "/lib", "--pods",         root_ + "/pods.json",
                                      "--node-name",  "node-a"};
    words.insert(words.end(), cards.begin(), cards.end());
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      execv(argv[0], argv.data());
      _exit(127);
    }
    ASSERT_TRUE(kubelet_->AwaitRegistrations(before + 1));
    ASSERT_TRUE(kubelet_->AwaitHealthy(healthy * kSplit));
  }
  void End(int signal) {
    kill(pid_, signal);
    ended_ = AwaitEnd();
  }
  int AwaitEnd() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

  // One pod past the scheduler, with so many MiB of a card.
  void AddPod(const std::string& uid, const std::string& mib) {
    WritePods(
        R"({"metadata":{"name":"pod-)" + uid + R"(","namespace":"default","uid":")" + uid +
        R"("},"spec":{"nodeName":"node-a","containers":[{"name":"main","resources":{"limits":)"
        R"({"warpshare.io/gpu":"1","warpshare.io/gpu-memory":")" +
        mib + R"("}}}]}})");
    const auto admitted =
        kubelet_->Admit({.uid = uid, .name = "pod-" + uid, .containers = {{"main", 1}}});
    ASSERT_TRUE(admitted) << admitted.error().message;
  }
  void WritePods(const std::string& items) {
    std::ofstream(root_ + "/pods.json.new") << R"({"items":[)" << items << "]}";
    fs::rename(root_ + "/pods.json.new", root_ + "/pods.json");
  }

  // The simulated driver as if it were a host's own, where Debian has it, and files for its nodes.
  void MakeHost() {
    const std::string folder = root_ + "/host/opt/driver";
    fs::create_directories(folder);
    fs::create_directories(root_ + "/host/dev");
    fs::create_directories(root_ + "/host/usr/lib64");
    for (const char* name : {"libcuda.so.1", "libnvidia-ml.so.1"}) {
      fs::copy_file(build_ / "lib/simgpu" / name, folder + "/" + name);
      fs::create_symlink(std::string("/opt/driver/") + name, root_ + "/host/usr/lib64/" + name);
    }
    for (const char* node : {"nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"})
      std::ofstream(root_ + "/host/dev/" + node) << "";
  }
  // Another library in place of its management library, of three cards of which one may be lost.
  void ReplaceManagement() {
    fs::copy_file(build_ / "tests/fake_nvml/libnvidia-ml.so.1",
                  root_ + "/host/opt/driver/libnvidia-ml.so.1",
                  fs::copy_options::overwrite_existing);
    std::ofstream(root_ + "/host/dev/nvidia2") << "";
  }

  const fs::path build_ =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
  const std::string program_ = build_ / "bin/warpshare-node";
  std::string root_;
  std::unique_ptr<platform::FakeKubelet> kubelet_;
  pid_t pid_ = -1;
  int ended_ = -1;
};

std::string HostPath(const platform::ContainerEdits& edits, const std::string& in) {
  const auto mount = std::ranges::find(edits.mounts, in, &platform::MountEdit::container_path);
  return mount == edits.mounts.end() ? "" : mount->host_path;
}

TEST_F(NodeDaemonTest, AContainerFindsLimitsLibrariesDriverAndWorld) {
  Start();
  AddPod("u1", "4096");
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(started) << started.error().message;
  const auto limits =
      platform::ReadLimitsFile(HostPath(*started, abi::kFixedTenantDir) + "/limits");
  ASSERT_TRUE(limits) << limits.error().message;
  ASSERT_EQ(limits->cards.size(), 1u);
  EXPECT_EQ(limits->cards[0].memory, 4_GiB);
  for (const platform::MountEdit& mount : started->mounts)
    EXPECT_TRUE(fs::exists(mount.host_path)) << mount.container_path << " " << mount.host_path;
  EXPECT_EQ(HostPath(*started, "/run/simgpu/world"), root_ + "/world");
  EXPECT_EQ(started->environment.at("SIMGPU_WORLD"), "/run/simgpu/world");
  std::ifstream preload(HostPath(*started, "/etc/ld.so.preload"));
  std::string line;
  ASSERT_TRUE(std::getline(preload, line));
  EXPECT_EQ(line, "/usr/local/warpshare/lib/libcuda.so.1");
}

TEST_F(NodeDaemonTest, LetsProgramsThatAreNotRootUseTheSimulatedCards) {
  Start();
  ASSERT_TRUE(fs::exists(root_ + "/world/card0.mem"));
  for (const fs::directory_entry& entry : fs::directory_iterator(root_ + "/world")) {
    const fs::perms all = entry.is_directory() ? fs::perms::all : fs::perms(0666);
    EXPECT_EQ(entry.status().permissions() & all, all) << entry.path();
  }
}

TEST_F(NodeDaemonTest, FollowsNoLinkThatAProgramPutBesideTheSimulatedCards) {
  Start();
  End(SIGTERM);
  const std::string secret = root_ + "/secret";
  std::ofstream(secret) << "of somebody else";
  fs::permissions(secret, fs::perms(0600));
  fs::create_symlink(secret, root_ + "/world/link");
  fs::create_symlink(root_ + "/nowhere", root_ + "/world/dangling");
  ASSERT_EQ(mkfifo((root_ + "/world/pipe").c_str(), 0600), 0);
  Start();
  EXPECT_EQ(fs::status(secret).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(root_ + "/world/pipe").permissions(), fs::perms(0600));
}

TEST_F(NodeDaemonTest, GivesTheDriverOfTheHostsFileSystemByTheHostsPaths) {
  MakeHost();
  Start({"--host-root", root_ + "/host"});
  AddPod("u1", "4096");
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_EQ(HostPath(*started, "/usr/local/nvidia/lib64/libcuda.so.1"), "/usr/lib64/libcuda.so.1");
  EXPECT_EQ(HostPath(*started, "/usr/local/nvidia/lib64/libnvidia-ml.so.1"),
            "/usr/lib64/libnvidia-ml.so.1");
  std::vector<std::string> nodes;
  for (const platform::DeviceNodeEdit& node : started->device_nodes)
    nodes.push_back(node.host_path);
  EXPECT_EQ(nodes, (std::vector<std::string>{"/dev/nvidia0", "/dev/nvidia1", "/dev/nvidiactl",
                                             "/dev/nvidia-uvm"}));
  EXPECT_FALSE(started->environment.contains("SIMGPU_WORLD"));
}

TEST_F(NodeDaemonTest, ACardThatCannotBeReadAnyMoreStaysAndIsUnhealthy) {
  MakeHost();
  ReplaceManagement();
  const std::vector<std::string> cards = {"--host-root", root_ + "/host"};
  Start(cards, 3);
  End(SIGTERM);
  setenv("FAKE_NVML", "lost", 1);
  fs::remove(root_ + "/host/dev/nvidia1");
  Start(cards, 2);
  unsetenv("FAKE_NVML");
  EXPECT_TRUE(kubelet_->AwaitDevices([](const auto& devices) {
    return devices.size() == 3 * kSplit && std::ranges::all_of(devices, [](const auto& device) {
             return device.is_healthy == !device.id.starts_with("GPU-00000002");
           });
  }));
}

TEST_F(NodeDaemonTest, ACardThatHangsKeepsItNeitherFromTheOthersNorFromItsEnd) {
  Start();
  End(SIGTERM);
  std::ofstream(root_ + "/world/hang0") << "";
  Start({"--sim"}, 1);
  AddPod("u1", "1024");
  const auto started = kubelet_->StartContainer("u1", "main");
  EXPECT_TRUE(started) << started.error().message;
  End(SIGTERM);
  EXPECT_TRUE(WIFEXITED(ended_) && WEXITSTATUS(ended_) == 0);
}

TEST_F(NodeDaemonTest, EndsWhenToldToAndGoesOnWhereItWasHoweverItEnded) {
  Start();
  AddPod("u1", "1024");
  const auto first = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(first) << first.error().message;
  End(SIGTERM);
  EXPECT_TRUE(WIFEXITED(ended_) && WEXITSTATUS(ended_) == 0);
  Start();
  EXPECT_EQ(*kubelet_->StartContainer("u1", "main"), *first);
  End(SIGKILL);
  Start();
  EXPECT_EQ(*kubelet_->StartContainer("u1", "main"), *first);
}

}  // namespace
}  // namespace warpshare
