// An extender with its view and a fake API server, asked over HTTP on loopback, as kube-scheduler
// asks it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cluster/extender/extender.h"
#include "cluster/inventory/cluster_feed.h"
#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "platform/clock/fake/fake_clock.h"
#include "platform/http/client.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::cluster {

// Plans nothing, and knows another node when it is told so.
struct FakeForesight final : Foresight {
  void NoteAsked(const std::string&, std::span<const place::NodeId>) override {}
  bool NameElsewhere(const std::string& uid, std::span<const place::NodeId> nodes) override {
    asked_for = uid;
    return knows_another && nodes.size() == 1;
  }
  bool IsTooEarly(const std::string&, size_t nodes) override { return nodes >= least_part; }
  bool HoldsAnything() const override { return false; }
  void LookPast(const std::function<void()>& look) override { look(); }

  bool knows_another = false;
  size_t least_part = SIZE_MAX;
  std::string asked_for;
};

class ExtenderTest : public testing::Test {
 protected:
  static constexpr std::chrono::seconds kLimit{10};

  // What a process that has just been started knows.
  struct Process {
    explicit Process(platform::EventLoop& loop, const kube::Config& config)
        : client(*kube::Client::Make(loop, {.config = config})),
          feed(*client, view, log),
          extender({.view = view,
                    .client = *client,
                    .clock = clock,
                    .log = log,
                    .leads = [this] { return leads; }},
                   {}, &foresight),
          server(*http::Server::Listen(
              loop, {},
              [this](const http::Request& request, const http::Responder& responder) {
                extender.Handle(request, responder);
              })),
          asker(*http::Client::Make(loop, {.host = "127.0.0.1", .port = server->port()})) {
      feed.Start();
    }
    int64_t FreeGiB(uint16_t node, uint8_t card) const {
      const auto found = view.ledger().FindCard(CardOf(node, card));
      return found ? view.ledger().card(*found).memory_free >> 30 : -1;
    }
    size_t Expire() {
      return view.Expire(
          static_cast<uint64_t>(std::chrono::nanoseconds(clock.Now().time_since_epoch()).count()));
    }

    bool leads = true;
    FakeForesight foresight;
    KeptLog log;
    platform::FakeClock clock;
    std::unique_ptr<kube::Client> client;
    ClusterView view{log};
    ClusterFeed feed;
    Extender extender;
    std::unique_ptr<http::Server> server;
    std::unique_ptr<http::Client> asker;
  };

  struct Answer {
    bool came = false;
    unsigned status = 0;
    std::string body;
    http::Call call;

    std::string Error() const {
      const auto document = json::Document::Parse(body);
      return document ? std::string((*document)["Error"].StringOr("no Error")) : "no JSON: " + body;
    }
  };

  ExtenderTest() {
    for (uint16_t node = 1; node <= 2; ++node)
      api_.Create(kube::kNodes, "", NodeObject(node, CardsText(node, 1)));
    Start();
  }

  void Start() {
    process_ = std::make_unique<Process>(loop_, api_.config());
    process_->extender.Serve(true);
    EXPECT_TRUE(loop_.RunUntil([&] { return process_->feed.is_synced(); }, kLimit));
  }

  bool Until(const std::function<bool()>& done) { return loop_.RunUntil(done, kLimit); }

  // Waits until the view has it too; its uid.
  std::string CreatePod(const PodWords& words) {
    const size_t before = process_->view.counts().pods;
    api_.Create(kube::kPods, "default", PodObject(words));
    EXPECT_TRUE(Until([&] { return process_->view.counts().pods > before; }));
    return UidOf(words.name);
  }
  std::string PodText(const std::string& name) const {
    return api_.Get(kube::kPods, {"default", name});
  }
  std::string UidOf(const std::string& name) const {
    return std::string((*json::Document::Parse(PodText(name)))["metadata"]["uid"].StringOr(""));
  }
  std::string AssignmentOf(const std::string& name) const {
    const auto pod = json::Document::Parse(PodText(name));
    return std::string((*pod)["metadata"]["annotations"][abi::kAnnotationAssignment].StringOr(""));
  }

  void Post(const std::string& verb, const std::string& body, Answer& answer,
            const std::string& method = "POST") {
    answer.call = process_->asker->Send(
        {.method = method, .target = "/scheduler/" + verb, .headers = {}, .body = body},
        [&answer](const Result<http::Response>& response) {
          answer.came = true;
          if (!response) return;
          answer.status = response->status;
          answer.body = response->body;
        });
  }
  Answer Ask(const std::string& verb, const std::string& body, const std::string& method = "POST") {
    Answer answer;
    Post(verb, body, answer, method);
    EXPECT_TRUE(Until([&] { return answer.came; }));
    return answer;
  }

  static std::string NodesBody(const std::string& pod, const std::vector<std::string>& names) {
    json::Writer body;
    body.BeginObject().Key("Pod").Raw(pod).Key("Nodes").Null().Key("NodeNames").BeginArray();
    for (const std::string& name : names) body.String(name);
    return body.EndArray().EndObject().Take();
  }
  std::string BindBody(const std::string& name, const std::string& node) const {
    json::Writer body;
    body.BeginObject().Member("PodName", name).Member("PodNamespace", "default");
    return body.Member("PodUID", UidOf(name)).Member("Node", node).EndObject().Take();
  }

  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  std::unique_ptr<Process> process_;
};

}  // namespace warpshare::cluster
