// Identity, from the kubelet's calls to the limits page that a container finds.
#include "node/device_plugin/container_start.h"

#include <fstream>
#include <random>
#include <thread>

#include "node/device_plugin/fake/plugin_fixture.h"

namespace warpshare::node {
namespace {

using request::ContainerKind;

class ContainerStartTest : public PluginFixture {
 protected:
  ContainerStartTest() { StartPlugin(); }

  // The reason why it does not start; empty: it does.
  std::string Refusal(const std::string& uid, const std::string& container = "main") {
    const auto started = kubelet_->StartContainer(uid, container);
    return started ? "" : started.error().message;
  }
  platform::Limits Started(const std::string& uid, const std::string& container = "main") {
    const auto started = kubelet_->StartContainer(uid, container);
    EXPECT_TRUE(started) << started.error().message;
    return started ? LimitsIn(*started) : platform::Limits{};
  }
};

TEST_F(ContainerStartTest, AContainerFindsItsLimitsAndWhatItNeeds) {
  Bind("u1", 4_GiB, 30, /*card=*/1);
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(started) << started.error().message;
  const platform::Limits limits = LimitsIn(*started);
  EXPECT_EQ(limits.tenant, "pod-u1.main");
  ASSERT_EQ(limits.cards.size(), 1u);
  EXPECT_EQ(limits.cards[0].uuid, cards_[1].uuid);
  EXPECT_EQ(limits.cards[0].memory, 4_GiB);
  EXPECT_EQ(limits.cards[0].capacity, 40_GiB);
  EXPECT_EQ(limits.cards[0].compute.share_permille, 300u);
  EXPECT_EQ(CardOfSlot(kubelet_->DevicesOf("u1", "main")[0]), cards_[1].uuid)
      << "its device is one of the card that it uses";
  const std::string preload = HostPath(*started, "/etc/ld.so.preload");
  EXPECT_TRUE(std::filesystem::exists(preload)) << preload;
  const auto usage = std::ranges::find(started->mounts, "/run/warpshare/tenant/usage",
                                       &platform::MountEdit::container_path);
  ASSERT_NE(usage, started->mounts.end());
  EXPECT_FALSE(usage->read_only);
  EXPECT_TRUE(std::filesystem::exists(usage->host_path));
}

TEST_F(ContainerStartTest, WhoMayStartAndWhoMayNotAreCounted) {
  Bind("u1", 4_GiB, 30, /*card=*/1);
  Bind("u2", 100_GiB, 0, /*card=*/0);
  EXPECT_EQ(Refusal("u1"), "");
  EXPECT_NE(Refusal("u2"), "");
  EXPECT_NE(Refusal("u2"), "");
  EXPECT_EQ(readiness_.starts().started, 1u);
  EXPECT_EQ(readiness_.starts().refused, 2u);
}

TEST_F(ContainerStartTest, FiftyContainersAtOnceEachGetTheirOwn) {
  constexpr int kPods = 50;
  const auto uid = [](int i) { return "u" + std::to_string(i); };
  const auto memory = [](int i) { return Bytes((100 + static_cast<uint64_t>(i)) << 20); };
  for (int i = 0; i < kPods; ++i) {
    const std::vector containers = {Asks("main", memory(i))};
    AddPod(uid(i), containers, AssignmentOf(containers, i % 2));
  }
  std::vector<int> order(kPods);
  for (int i = 0; i < kPods; ++i) order[i] = i;
  std::mt19937 random(20261121);
  std::ranges::shuffle(order, random);
  std::vector<std::thread> starts;
  std::mutex mutex;
  std::map<int, std::string> wrong;
  const auto start = [&](int i) {
    const auto started = kubelet_->StartContainer(uid(i), "main");
    std::string text = started ? "" : started.error().message;
    if (started) {
      const platform::Limits limits = LimitsIn(*started);
      if (limits.cards.size() != 1 || limits.cards[0].memory != memory(i) ||
          limits.cards[0].uuid != cards_[i % 2].uuid || limits.tenant != "pod-" + uid(i) + ".main")
        text = "has the limits of " + limits.tenant;
    }
    const std::scoped_lock held(mutex);
    if (!text.empty()) wrong[i] = text;
  };
  for (const int i : order) {
    ASSERT_TRUE(Admit(uid(i)));
    starts.emplace_back(start, i);
  }
  for (std::thread& each : starts) each.join();
  EXPECT_TRUE(wrong.empty()) << wrong.begin()->first << ": " << wrong.begin()->second;
}

TEST_F(ContainerStartTest, ContainersOfAPodHaveTheirOwn) {
  const std::vector containers = {Asks("prepare", 30_GiB, 0, ContainerKind::kInit),
                                  Asks("side", 1_GiB, 0, ContainerKind::kSidecar),
                                  Asks("main", 2_GiB, 20), Asks("other", 3_GiB, 10)};
  AddPod("u1", containers, AssignmentOf(containers, 0));
  ASSERT_TRUE(Admit("u1"));
  EXPECT_EQ(kubelet_->DevicesOf("u1", "prepare"), kubelet_->DevicesOf("u1", "side"))
      << "the kubelet gives an init container's devices out again";
  EXPECT_EQ(Started("u1", "prepare").cards.at(0).memory, 30_GiB);
  EXPECT_EQ(Started("u1", "side").cards.at(0).memory, 1_GiB);
  EXPECT_EQ(Started("u1", "main").cards.at(0).memory, 2_GiB);
  EXPECT_EQ(Started("u1", "other").cards.at(0).compute.share_permille, 100u);
}

TEST_F(ContainerStartTest, AContainerThatStartsAgainGetsTheSame) {
  Bind("u1", 4_GiB, 30, 0);
  const platform::Limits first = Started("u1");
  EXPECT_EQ(Started("u1").cards, first.cards);
}

TEST_F(ContainerStartTest, TheDaemonsEndForgetsNothing) {
  Bind("u1", 4_GiB, 30, 0);
  Bind("u2", 39_GiB, 0, std::nullopt);
  const platform::Limits placed = Started("u2");
  EXPECT_EQ(placed.cards.at(0).uuid, cards_[1].uuid) << "there is room";
  StopPlugin();
  EXPECT_NE(Refusal("u1"), "") << "nobody answers";
  StartPlugin();
  EXPECT_EQ(Started("u1").cards.at(0).memory, 4_GiB);
  EXPECT_EQ(Started("u2").cards, placed.cards);
}

TEST_F(ContainerStartTest, WhatWasInMemoryIsMadeAgain) {
  Bind("u1", 4_GiB, 30, 0);
  (void)Started("u1");
  StopPlugin();
  std::filesystem::remove_all(root_ + "/state");  // the machine started again
  StartPlugin();
  EXPECT_EQ(Started("u1").cards.at(0).memory, 4_GiB);
}

TEST_F(ContainerStartTest, AnEditedAssignmentIsRefused) {
  Bind("u1", 4_GiB, 30, 0);
  const std::vector more = {Asks("main", 8_GiB, 30)};
  const std::string good = AssignmentOf({Asks("main", 4_GiB, 30)}, 0);
  source_.Edit("u1", AssignmentOf(more, 0));
  EXPECT_NE(Refusal("u1").find("more memory"), std::string::npos) << Refusal("u1");
  source_.Edit("u1", "v1;node-a;main=nonsense");
  EXPECT_NE(Refusal("u1").find("assignment"), std::string::npos) << Refusal("u1");
  source_.Edit("u1", "v1;node-b" + good.substr(good.find(";main")));
  EXPECT_NE(Refusal("u1").find("node-b"), std::string::npos) << Refusal("u1");
  source_.Edit("u1", good);
  EXPECT_EQ(Refusal("u1"), "");
}

TEST_F(ContainerStartTest, WhatIsEditedAfterTheFirstStartChangesNothing) {
  Bind("u1", 4_GiB, 30, 0);
  const platform::Limits before = Started("u1");
  for (const std::string& edited :
       {AssignmentOf({Asks("main", 4_GiB, 30)}, 1), AssignmentOf({Asks("main", 8_GiB, 30)}, 0),
        std::string("nonsense"), std::string()}) {
    source_.Edit("u1", edited);
    EXPECT_EQ(Started("u1").cards, before.cards) << edited;
  }
}

TEST_F(ContainerStartTest, ACardIsNotGivenOutTwice) {
  Bind("u1", 30_GiB, 0, 0);
  EXPECT_EQ(Refusal("u1"), "");
  const std::vector containers = {Asks("main", 20_GiB)};
  AddPod("u2", containers, AssignmentOf(containers, 0));
  ASSERT_TRUE(Admit("u2"));
  EXPECT_NE(Refusal("u2").find("not enough left"), std::string::npos) << Refusal("u2");
  kubelet_->Remove("u1");
  source_.Remove("u1");
  EXPECT_EQ(Refusal("u2"), "") << "what is gone leaves room";
}

TEST_F(ContainerStartTest, WhatAPodCannotHaveBeenGivenKeepsNobodyOut) {
  const std::string forged = AssignmentOf({Asks("main", 40_GiB)}, 0);
  std::string elsewhere = AssignmentOf({Asks("main", 40_GiB)}, 1);
  elsewhere.replace(elsewhere.find("node-a"), 6, "node-b");
  AddPod("no-cards", {{.name = "main", .compute = {}}}, forged);
  AddPod("other-node", {Asks("main", 40_GiB)}, elsewhere);
  Bind("u1", 30_GiB, 0, 0);
  Bind("u2", 30_GiB, 0, 1);
  EXPECT_EQ(Refusal("u1"), "");
  EXPECT_EQ(Refusal("u2"), "");
}

TEST_F(ContainerStartTest, APodPastTheSchedulerIsAdmittedWhileThereIsRoom) {
  Bind("u1", 30_GiB, 60, std::nullopt);
  Bind("u2", 30_GiB, 60, std::nullopt);
  Bind("u3", 30_GiB, 60, std::nullopt);
  EXPECT_NE(Started("u1").cards.at(0).uuid, Started("u2").cards.at(0).uuid);
  EXPECT_NE(Refusal("u3").find("no room for it: not enough cores"), std::string::npos)
      << Refusal("u3");
}

TEST_F(ContainerStartTest, APodThatTheClusterDoesNotKnowIsRefused) {
  Bind("u1", 1_GiB, 0, 0);
  source_.Remove("u1");
  EXPECT_NE(Refusal("u1"), "");
}

TEST_F(ContainerStartTest, APodOfAnotherUidWithTheSameNameIsRefused) {
  Bind("u1", 1_GiB, 0, 0);
  source_.Remove("u1");
  const std::vector containers = {Asks("main", 1_GiB)};
  AddPod("u2", containers, AssignmentOf(containers, 0));
  source_.Edit("u2", AssignmentOf(containers, 0));
  EXPECT_NE(Refusal("u1"), "") << "its name may be another pod's by now";
}

TEST_F(ContainerStartTest, ContainersStartAgainWhileTheClusterDoesNotAnswer) {
  Bind("u1", 4_GiB, 30, 0);
  Bind("u2", 4_GiB, 30, 0);
  const platform::Limits before = Started("u1");
  source_.StopAnswering();
  EXPECT_EQ(Started("u1").cards, before.cards);
  EXPECT_NE(Refusal("u2").find("does not answer"), std::string::npos) << "it never started";
}

TEST_F(ContainerStartTest, NobodyHoldsTheStatesLockWhileWaitingForTheCluster) {
  Bind("u1", 4_GiB, 30, 0);
  bool is_free = false;
  source_.OnFind([&] {
    const auto state = StateDir::Open(root_ + "/state", IfMissing::kFail);
    is_free = state->Lock(clock_).has_value();  // others have it for a moment
  });
  EXPECT_EQ(Refusal("u1"), "");
  EXPECT_TRUE(is_free);
}

TEST_F(ContainerStartTest, APodIsLookedAtAgainWhenTheLockIsHeld) {
  Bind("u1", 4_GiB, 30, 0);
  source_.OnFind([&] { source_.Edit("u1", AssignmentOf({Asks("main", 2_GiB, 10)}, 0)); });
  EXPECT_EQ(Started("u1").cards.at(0).memory, 2_GiB);
  Bind("u2", 4_GiB, 30, 0);
  source_.OnFind([&] { source_.Remove("u2"); });
  EXPECT_NE(Refusal("u2").find("meanwhile"), std::string::npos);
}

TEST_F(ContainerStartTest, AUsageFileThatAContainerExtendsIsCutAgain) {
  Bind("u1", 4_GiB, 30, 0);
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(started) << started.error().message;
  const std::string usage = HostPath(*started, "/run/warpshare/tenant/usage");
  const auto right = std::filesystem::file_size(usage);
  std::filesystem::resize_file(usage, right + (1 << 20));
  while (std::filesystem::file_size(usage) != right) std::this_thread::yield();
  while (!log_.Has("usage file cut")) std::this_thread::yield();
}

// Two pods that the kubelet gave one device, as its checkpoint has them after that.
class GivenTwiceTest : public ContainerStartTest {
 protected:
  GivenTwiceTest() {
    Bind("u1", 4_GiB, 30, 0);
    kubelet_->ForgetDevicesOf("u1");
    Bind("u2", 2_GiB, 10, 0);
    EXPECT_EQ(kubelet_->DevicesOf("u1", "main"), kubelet_->DevicesOf("u2", "main"));
  }
};

TEST_F(GivenTwiceTest, EachPodHasItsOwn) {
  EXPECT_EQ(Started("u1").cards.at(0).memory, 4_GiB);
  EXPECT_EQ(Started("u2").cards.at(0).memory, 2_GiB);
  EXPECT_EQ(Started("u1").cards.at(0).memory, 4_GiB);
}

TEST_F(GivenTwiceTest, WhoIsLeftStartsAgain) {
  EXPECT_EQ(Refusal("u1"), "");
  kubelet_->Remove("u1");  // not from the checkpoint, yet
  source_.Remove("u1");
  EXPECT_EQ(Started("u2").cards.at(0).memory, 2_GiB);
}

TEST_F(GivenTwiceTest, WhoIsNotKnownYetDoesNotStart) {
  source_.Remove("u2");
  EXPECT_NE(Refusal("u2").find("no such pod"), std::string::npos) << Refusal("u2");
}

TEST_F(GivenTwiceTest, WithoutTheCheckpointNobodyKnowsWhoseTheFoldersAre) {
  std::ofstream(platform::CheckpointPath(kubelet_->plugins_folder())) << "{\"Data\":[garbage";
  EXPECT_NE(Refusal("u1").find("disagree"), std::string::npos) << Refusal("u1");
}

class OneSourceTest : public ContainerStartTest {
 protected:
  void WriteGarbage() {
    std::ofstream(platform::CheckpointPath(kubelet_->plugins_folder())) << "{\"Data\":[garbage";
  }
};

TEST_F(OneSourceTest, PodResourcesAloneWillDo) {
  Bind("u1", 4_GiB, 30, 0);
  WriteGarbage();
  EXPECT_EQ(Started("u1").cards.at(0).memory, 4_GiB);
}

TEST_F(OneSourceTest, TheCheckpointAloneWillDo) {
  Bind("u1", 4_GiB, 30, 0);
  kubelet_->StopPodResources();
  EXPECT_EQ(Started("u1").cards.at(0).memory, 4_GiB);
}

TEST_F(OneSourceTest, WithoutEitherNothingStarts) {
  Bind("u1", 4_GiB, 30, 0);
  kubelet_->StopPodResources();
  WriteGarbage();
  EXPECT_NE(Refusal("u1").find("checkpoint"), std::string::npos) << Refusal("u1");
}

TEST_F(OneSourceTest, SourcesThatDisagreeAreRefused) {
  Bind("u1", 4_GiB, 30, 0);
  std::ofstream(platform::CheckpointPath(kubelet_->plugins_folder()))
      << R"({"Data":{"PodDeviceEntries":[{"PodUID":"stranger","ContainerName":"c",)"
      << R"("ResourceName":"warpshare.io/gpu","DeviceIDs":{"-1":[")"
      << kubelet_->DevicesOf("u1", "main")[0] << R"("]},"AllocResp":""}]}})";
  EXPECT_NE(Refusal("u1").find("disagree"), std::string::npos) << Refusal("u1");
}

}  // namespace
}  // namespace warpshare::node
