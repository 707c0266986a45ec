// The client against a real API server, named by the kubeconfig in WARPSHARE_TEST_KUBECONFIG;
// without one, everything is skipped. Each case works in a namespace of its own, which it deletes.
// Pods are bound to a node that does not exist, so that no kubelet acts on them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>

#include "platform/kube/client.h"
#include "platform/kube/elector.h"
#include "platform/kube/informer.h"

namespace warpshare::kube {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using Done = Client::Done;

class LiveCheck : public testing::Test {
 protected:
  void SetUp() override {
    const char* path = std::getenv("WARPSHARE_TEST_KUBECONFIG");
    if (path == nullptr) GTEST_SKIP() << "no WARPSHARE_TEST_KUBECONFIG";
    auto config = ReadKubeconfig(path);
    ASSERT_TRUE(config) << config.error().message;
    auto client = Client::Make(loop_, {.config = *config, .agent = "warpshare-check"});
    ASSERT_TRUE(client) << client.error().message;
    client_ = std::move(*client);
    auto made = Answer([&](Done done) {
      return client_->Create(kNamespaces, "", R"({"metadata":{"name":")" + space_ + "\"}}", done);
    });
    ASSERT_TRUE(made) << made.error().message;
  }

  void TearDown() override {
    if (client_) {
      EXPECT_TRUE(
          Answer([&](Done done) { return client_->Delete(kNamespaces, {"", space_}, "", done); }));
    }
  }

  [[nodiscard]] bool Until(const std::function<bool()>& done) {
    return loop_.RunUntil(done, seconds(30));
  }

  template <typename Ask>
  Result<json::Document> Answer(Ask ask) {
    std::optional<Result<json::Document>> answer;
    const http::Call call = ask([&](Result<json::Document> came) { answer = std::move(came); });
    EXPECT_TRUE(Until([&] { return answer.has_value(); }));
    if (!answer) return Fail(Errc::kSystem, "nothing came");
    return std::move(*answer);
  }

  Result<json::Document> CreatePod(const std::string& name) {
    return Answer([&](Done done) { return client_->Create(kPods, space_, PodText(name), done); });
  }

  // No scheduler takes it, and it needs no service account.
  static std::string PodText(const std::string& name) {
    return R"({"metadata":{"name":")" + name +
           R"("},"spec":{"schedulerName":"nobody","automountServiceAccountToken":false,)"
           R"("terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"none"}]}})";
  }

  static std::string ConfigMapText(const std::string& name) {
    return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + "\"}}";
  }

  static inline int cases_ = 0;
  const std::string space_ =
      "warpshare-check-" + std::to_string(getpid()) + '-' + std::to_string(++cases_);
  platform::EventLoop loop_;
  std::unique_ptr<Client> client_;
};

TEST_F(LiveCheck, ObjectsCarryVersionsAndConflict) {
  const ObjectName name{space_, "m"};
  auto made = Answer(
      [&](Done done) { return client_->Create(kConfigMaps, space_, ConfigMapText("m"), done); });
  ASSERT_TRUE(made) << made.error().message;
  const std::string first = made->root().Text();
  auto patched = Answer([&](Done done) {
    return client_->Patch({.resource = kConfigMaps, .name = name}, R"({"data":{"a":"b"}})", done);
  });
  ASSERT_TRUE(patched) << patched.error().message;
  auto late = Answer([&](Done done) { return client_->Replace(kConfigMaps, name, first, done); });
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Errc::kConflict) << late.error().message;
  auto applied = Answer([&](Done done) {
    return client_->Apply(kConfigMaps, {space_, "n"}, ConfigMapText("n"), done);
  });
  ASSERT_TRUE(applied) << applied.error().message;
  auto other = Answer([&](Done done) { return client_->Delete(kConfigMaps, name, "other", done); });
  EXPECT_EQ(other.error().code, Errc::kConflict) << other.error().message;
  auto missing = Answer([&](Done done) { return client_->Get(kConfigMaps, {space_, "x"}, done); });
  EXPECT_EQ(missing.error().code, Errc::kNotFound) << missing.error().message;
}

TEST_F(LiveCheck, AnInformerSeesPagesChangesAndEndsOfWatches) {
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(Answer([&](Done done) {
      return client_->Create(kConfigMaps, space_, ConfigMapText("m" + std::to_string(i)), done);
    }));
  }
  std::set<std::string> known;
  std::vector<std::string> troubles;
  Informer informer(*client_,
                    {.resource = kConfigMaps,
                     .space = space_,
                     .selector = {},
                     .page = 3,
                     .watch_time = seconds(1)},
                    {.set = [&](const ObjectName& name, json::View) { known.insert(name.name); },
                     .removed = [&](const ObjectName& name) { known.erase(name.name); },
                     .trouble = [&](const Error& error) { troubles.push_back(error.message); }});
  informer.Start();
  ASSERT_TRUE(Until([&] { return informer.is_synced() && known.contains("m6"); }));
  const steady_clock::time_point began = steady_clock::now();
  ASSERT_TRUE(Until([&] { return steady_clock::now() - began > seconds(3); }));  // some watches end
  ASSERT_TRUE(
      Answer([&](Done done) { return client_->Delete(kConfigMaps, {space_, "m6"}, "", done); }));
  ASSERT_TRUE(Until([&] { return !known.contains("m6"); }));
  EXPECT_TRUE(troubles.empty()) << troubles.front();
}

TEST_F(LiveCheck, ABindingBringsItsAnnotations) {
  auto pod = CreatePod("p");
  ASSERT_TRUE(pod) << pod.error().message;
  Binding binding{.pod = {space_, "p"},
                  .uid = std::string((*pod)["metadata"]["uid"].StringOr("")),
                  .node = "no-such-node",
                  .annotations = {{"warpshare.io/assignment", "v1;x"}}};
  Binding wrong = binding;
  wrong.uid = "00000000-0000-0000-0000-000000000000";
  auto refused = Answer([&](Done done) { return client_->Bind(wrong, done); });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kConflict) << refused.error().message;
  auto bound = Answer([&](Done done) { return client_->Bind(binding, done); });
  ASSERT_TRUE(bound) << bound.error().message;
  auto seen = Answer([&](Done done) { return client_->Get(kPods, binding.pod, done); });
  EXPECT_EQ((*seen)["spec"]["nodeName"].StringOr(""), "no-such-node");
  EXPECT_EQ((*seen)["metadata"]["annotations"]["warpshare.io/assignment"].StringOr(""), "v1;x");
  auto again = Answer([&](Done done) { return client_->Bind(binding, done); });
  EXPECT_EQ(again.error().code, Errc::kConflict) << again.error().message;
}

TEST_F(LiveCheck, ManyBindingsGoAtOnce) {
  constexpr int kCount = 300;
  int made = 0, bound = 0;
  const auto count = [](int& counter) {
    return [&counter](const Result<json::Document>& result) {
      EXPECT_TRUE(result) << result.error().message;
      ++counter;
    };
  };
  for (int i = 0; i < kCount; ++i) {
    client_->Create(kPods, space_, PodText("p" + std::to_string(i)), count(made)).Detach();
  }
  ASSERT_TRUE(Until([&] { return made == kCount; }));
  const auto began = steady_clock::now();
  for (int i = 0; i < kCount; ++i) {
    client_
        ->Bind({.pod = {space_, "p" + std::to_string(i)},
                .uid = {},
                .node = "no-such-node",
                .annotations = {{"warpshare.io/assignment", "v1;x"}}},
               count(bound))
        .Detach();
  }
  ASSERT_TRUE(Until([&] { return bound == kCount; }));
  const std::chrono::duration<double> took = steady_clock::now() - began;
  std::printf("%d bindings in %.2f s: %.0f a second\n", kCount, took.count(),
              kCount / took.count());
}

TEST_F(LiveCheck, ALeaseFindsANewLeader) {
  const platform::SystemClock clock;
  const auto elector = [&](const std::string& identity, int& leads) {
    return std::make_unique<Elector>(
        *client_, clock, ElectorOptions{.lease = {space_, "leader"}, .identity = identity},
        ElectorEvents{.leads = [&leads] { ++leads; }, .lost = [] {}});
  };
  int first = 0, second = 0;
  auto one = elector("one", first), two = elector("two", second);
  one->Start();
  ASSERT_TRUE(Until([&] { return first == 1; }));
  two->Start();
  ASSERT_TRUE(Until([&] { return two->holder() == "one"; }));
  const auto died = steady_clock::now();
  one.reset();
  ASSERT_TRUE(Until([&] { return second == 1; }));
  const std::chrono::duration<double> took = steady_clock::now() - died;
  std::printf("a new leader after %.2f s\n", took.count());
  EXPECT_LT(took.count(), 2.5);  // 2 s, and something for a busy machine
  int third = 0;
  auto three = elector("three", third);
  three->Start();
  ASSERT_TRUE(Until([&] { return three->holder() == "two"; }));
  bool released = false;
  two->Release([&] { released = true; });
  ASSERT_TRUE(Until([&] { return released && third == 1; }));
}

TEST_F(LiveCheck, ANoteIsTaken) {
  client_->Write({.about = {space_, "p"},
                  .kind = "Pod",
                  .api_version = "v1",
                  .uid = "u",
                  .is_warning = true,
                  .reason = "Checked",
                  .message = "by the live check"});
  ASSERT_TRUE(Until([&] {
    auto list = Answer(
        [&](Done done) { return client_->List({.resource = kEvents, .space = space_}, done); });
    return list && (*list)["items"].size() == 1;
  }));
}

}  // namespace
}  // namespace warpshare::kube
