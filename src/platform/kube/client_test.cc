#include "platform/kube/client.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "platform/http/testing/certificates.h"
#include "platform/kube/fake/kube_test.h"

namespace warpshare::kube {
namespace {

using ClientTest = KubeTest;
using Done = Client::Done;

TEST_F(ClientTest, CreatesReadsReplacesAndDeletes) {
  const ObjectName name{"d", "p"};
  auto made = Answer([&](Done done) { return client_->Create(kPods, "d", Pod("p"), done); });
  ASSERT_TRUE(made) << made.error().message;
  const std::string uid((*made)["metadata"]["uid"].StringOr(""));
  const std::string first = made->root().Text();
  auto replaced = Answer([&](Done done) { return client_->Replace(kPods, name, first, done); });
  ASSERT_TRUE(replaced) << replaced.error().message;
  // `first` carries a version that is not the last one any more.
  auto late = Answer([&](Done done) { return client_->Replace(kPods, name, first, done); });
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Errc::kConflict);
  auto other = Answer([&](Done done) { return client_->Delete(kPods, name, "another", done); });
  EXPECT_EQ(other.error().code, Errc::kConflict);
  EXPECT_TRUE(Answer([&](Done done) { return client_->Delete(kPods, name, uid, done); }));
  auto gone = Answer([&](Done done) { return client_->Get(kPods, name, done); });
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, Errc::kNotFound);
  EXPECT_EQ(gone.error().message, "GET /api/v1/namespaces/d/pods/p: 404 p not found");
}

TEST_F(ClientTest, PatchesAndApplies) {
  const ObjectName name{"", "n1"};
  ASSERT_TRUE(Answer([&](Done done) {
    return client_->Apply(kNodes, name, R"({"metadata":{"name":"n1","labels":{"a":"b"}}})", done);
  }));
  auto patched = Answer([&](Done done) {
    return client_->Patch({.resource = kNodes, .name = name, .subresource = "status"},
                          R"({"status":{"capacity":{"warpshare.io/gpu-memory":"8"}}})", done);
  });
  ASSERT_TRUE(patched) << patched.error().message;
  EXPECT_EQ((*patched)["metadata"]["labels"]["a"].StringOr(""), "b");
  EXPECT_EQ((*patched)["status"]["capacity"]["warpshare.io/gpu-memory"].StringOr(""), "8");
  EXPECT_EQ(server_.Asked("PATCH /api/v1/nodes/status"), 1u);
}

TEST_F(ClientTest, BindsAPodTogetherWithItsAnnotations) {
  server_.Create(kPods, "d", Pod("p", R"(,"annotations":{"kept":"yes"})"));
  Binding binding{.pod = {"d", "p"},
                  .uid = "uid-1",
                  .node = "n1",
                  .annotations = {{"warpshare.io/assignment", "v1;\"x\""}}};
  auto bound = Answer([&](Done done) { return client_->Bind(binding, done); });
  ASSERT_TRUE(bound) << bound.error().message;
  auto pod = Answer([&](Done done) { return client_->Get(kPods, binding.pod, done); });
  EXPECT_EQ((*pod)["spec"]["nodeName"].StringOr(""), "n1");
  EXPECT_EQ((*pod)["metadata"]["annotations"]["warpshare.io/assignment"].StringOr(""), "v1;\"x\"");
  EXPECT_EQ((*pod)["metadata"]["annotations"]["kept"].StringOr(""), "yes");
  auto again = Answer([&](Done done) { return client_->Bind(binding, done); });
  EXPECT_EQ(again.error().code, Errc::kConflict);
}

TEST_F(ClientTest, BindsNoOtherPodOfThatName) {
  server_.Create(kPods, "d", Pod("p"));
  auto bound = Answer([&](Done done) {
    return client_->Bind({.pod = {"d", "p"}, .uid = "former", .node = "n1", .annotations = {}},
                         done);
  });
  EXPECT_EQ(bound.error().code, Errc::kConflict);
}

TEST_F(ClientTest, BindsManyAtOnceWithOneRequestEach) {
  constexpr int kPodsToBind = 500;
  for (int i = 0; i < kPodsToBind; ++i) server_.Create(kPods, "d", Pod("p" + std::to_string(i)));
  int bound = 0;
  for (int i = 0; i < kPodsToBind; ++i) {
    client_
        ->Bind({.pod = {"d", "p" + std::to_string(i)},
                .uid = "",
                .node = "n1",
                .annotations = {{"a", "b"}}},
               [&](Result<json::Document> result) { bound += result.has_value() ? 1 : 0; })
        .Detach();
  }
  ASSERT_TRUE(Until([&] { return bound == kPodsToBind; }));
  EXPECT_EQ(server_.Asked("POST /api/v1/pods/binding"), 500u);
}

TEST_F(ClientTest, ReadsAListPageByPage) {
  for (int i = 0; i < 5; ++i) server_.Create(kPods, "d", Pod("p" + std::to_string(i)));
  auto first =
      Answer([&](Done done) { return client_->List({.resource = kPods, .limit = 3}, done); });
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ((*first)["items"].size(), 3u);
  auto rest = Answer([&](Done done) {
    return client_->List(
        {.resource = kPods,
         .limit = 3,
         .continue_from = std::string((*first)["metadata"]["continue"].StringOr(""))},
        done);
  });
  EXPECT_EQ((*rest)["items"].size(), 2u);
  EXPECT_EQ((*rest)["metadata"]["continue"].StringOr(""), "");
}

TEST_F(ClientTest, SaysWhatTheServerSays) {
  for (const auto& [status, code] : {std::pair{401u, Errc::kPermission},
                                     {403u, Errc::kPermission},
                                     {409u, Errc::kConflict},
                                     {410u, Errc::kConflict},
                                     {422u, Errc::kInvalid},
                                     {429u, Errc::kUnavailable},
                                     {500u, Errc::kUnavailable},
                                     {503u, Errc::kUnavailable}}) {
    server_.FailNext(1, status);
    auto refused = Answer([&](Done done) { return client_->Get(kNodes, {"", "n"}, done); });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, code) << status;
    EXPECT_TRUE(refused.error().message.ends_with("told to fail")) << refused.error().message;
  }
}

TEST_F(ClientTest, WritesNotesThatDescribeShows) {
  client_->Write({.about = {"d", "p"},
                  .kind = "Pod",
                  .api_version = "v1",
                  .uid = "u",
                  .is_warning = true,
                  .reason = "Refused",
                  .message = std::string(5000, 'm')});
  ASSERT_TRUE(Until([&] { return server_.Count(kEvents) == 1; }));
  auto list = Answer([&](Done done) { return client_->List({.resource = kEvents}, done); });
  const json::View note = (*list)["items"][0];
  EXPECT_EQ(note["involvedObject"]["name"].StringOr(""), "p");
  EXPECT_EQ(note["type"].StringOr(""), "Warning");
  EXPECT_EQ(note["message"].StringOr("").size(), 1024u);
  EXPECT_EQ(note["source"]["component"].StringOr(""), "test");
}

class TokenTest : public testing::Test {
 protected:
  TokenTest() {
    char pattern[] = "/tmp/warpshare-kube-XXXXXX";
    folder_ = mkdtemp(pattern);
    server_ = http::Server::Listen(
                  loop_, {.tls = http::ServerTls{authority_.For("127.0.0.1"), ""}, .limits = {}},
                  [this](const http::Request& request, const http::Responder& responder) {
                    tokens_.emplace_back(request.headers.Find("Authorization"));
                    const bool good = tokens_.back() == "Bearer " + wanted_;
                    responder.Respond(http::Response::Json("{}", good ? 200 : 401));
                  })
                  .value();
    Put("token", "first\n");
    Put("ca.crt", authority_.identity.certificates);
  }
  ~TokenTest() override { std::filesystem::remove_all(folder_); }

  // As the kubelet does: the file is a link, which is changed and never written through.
  void Put(const std::string& name, const std::string& text) {
    const std::string file = name + '.' + std::to_string(++files_);
    std::ofstream(folder_ + '/' + file) << text;
    std::filesystem::remove(folder_ + '/' + name);
    std::filesystem::create_symlink(file, folder_ + '/' + name);
  }

  bool Ask(Client& client) {
    std::optional<bool> good;
    const http::Call call =
        client.Get(kNodes, {"", "n"}, [&](const auto& answer) { good = answer.has_value(); });
    EXPECT_TRUE(loop_.RunUntil([&] { return good.has_value(); }, std::chrono::seconds(20)));
    return good.value_or(false);
  }

  std::unique_ptr<Client> InCluster() {
    setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1", 1);
    setenv("KUBERNETES_SERVICE_PORT", std::to_string(server_->port()).c_str(), 1);
    auto config = InClusterConfig(folder_);
    EXPECT_TRUE(config);
    unsetenv("KUBERNETES_SERVICE_HOST");
    unsetenv("KUBERNETES_SERVICE_PORT");
    return Client::Make(loop_, {.config = *config}).value();
  }

  platform::EventLoop loop_;
  http::TestAuthority authority_;
  std::string folder_, wanted_ = "first";
  std::vector<std::string> tokens_;
  int files_ = 0;
  std::unique_ptr<http::Server> server_;
};

TEST_F(TokenTest, IsReadAgainWhenItIsNotTakenAnyMore) {
  const auto client = InCluster();
  EXPECT_TRUE(Ask(*client));
  wanted_ = "second";
  Put("token", "second");
  EXPECT_FALSE(Ask(*client));
  EXPECT_TRUE(Ask(*client));
}

TEST_F(TokenTest, SurvivesAMomentWithoutItsFile) {
  const auto client = InCluster();
  std::filesystem::remove(folder_ + "/token");
  wanted_ = "none";
  EXPECT_FALSE(Ask(*client));
  wanted_ = "first";
  EXPECT_TRUE(Ask(*client));
}

TEST_F(TokenTest, AndAuthorityAreReadAgainWhenTheServerIsNotBelieved) {
  Put("ca.crt", http::TestAuthority("another").identity.certificates);
  const auto client = InCluster();
  EXPECT_FALSE(Ask(*client));
  Put("ca.crt", authority_.identity.certificates);
  EXPECT_TRUE(Ask(*client));
}

TEST(ServersPath, StandsBeforeThatOfEveryRequest) {
  platform::EventLoop loop;
  std::vector<std::string> asked;
  const auto server =
      http::Server::Listen(loop, {.tls = std::nullopt, .limits = {}},
                           [&](const http::Request& request, const auto& responder) {
                             asked.push_back(request.path);
                             responder.Respond(http::Response::Json("{}"));
                           })
          .value();
  Config config;
  const std::string address = "http://127.0.0.1:" + std::to_string(server->port());
  ASSERT_TRUE(UseServer(config, address + "/k8s/clusters/c-1"));
  const auto client = Client::Make(loop, {.config = config}).value();
  const http::Call call = client->Get(kNodes, {"", "n"}, [](const auto&) {});
  const http::Call watch = client->Watch({.resource = kNodes}, {});
  ASSERT_TRUE(loop.RunUntil([&] { return asked.size() == 2; }, std::chrono::seconds(20)));
  for (const std::string& target : asked)
    EXPECT_TRUE(target.starts_with("/k8s/clusters/c-1/api/v1/nodes")) << target;
}

TEST(InCluster, NeedsACluster) {
  const auto config = InClusterConfig("/nonexistent");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, Errc::kNotFound);
}

}  // namespace
}  // namespace warpshare::kube
