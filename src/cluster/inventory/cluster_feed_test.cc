#include "cluster/inventory/cluster_feed.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::cluster {
namespace {

constexpr std::chrono::seconds kLimit{10};

// A view with its watches, as one process would have it.
struct Watcher {
  explicit Watcher(platform::EventLoop& loop, const kube::Config& config)
      : client(*kube::Client::Make(loop, {.config = config})), feed(*client, view, log) {
    feed.Start();
  }
  int64_t FreeGiB(uint16_t node, uint8_t card) const {
    const auto found = view.ledger().FindCard(CardOf(node, card));
    return found ? view.ledger().card(*found).memory_free >> 30 : -1;
  }

  std::unique_ptr<kube::Client> client;
  KeptLog log;
  ClusterView view{log};
  ClusterFeed feed;
};

TEST(ClusterFeed, KeepsAViewAsTheApiServerHasIt) {
  platform::EventLoop loop;
  kube::FakeApiServer server(loop);
  server.Create(kube::kNodes, "", NodeObject(1, CardsText(1, 1)));
  server.Create(kube::kPods, "default",
                PodObject({.node = "n1", .assignment = AssignmentText(1, 0)}));
  Watcher watcher(loop, server.config());
  EXPECT_FALSE(watcher.feed.is_synced());
  ASSERT_TRUE(loop.RunUntil([&] { return watcher.feed.is_synced(); }, kLimit));
  EXPECT_EQ(watcher.FreeGiB(1, 0), 12);
  server.Create(kube::kPods, "default",
                PodObject({.name = "q", .node = "n1", .assignment = AssignmentText(1, 0)}));
  EXPECT_TRUE(loop.RunUntil([&] { return watcher.FreeGiB(1, 0) == 8; }, kLimit));
  server.Delete(kube::kPods, {"default", "p"});
  EXPECT_TRUE(loop.RunUntil([&] { return watcher.FreeGiB(1, 0) == 12; }, kLimit));
  server.Delete(kube::kNodes, {"", "n1"});
  EXPECT_TRUE(loop.RunUntil([&] { return watcher.view.counts().nodes == 0; }, kLimit));
}

TEST(ClusterFeed, WhatHappensWhileTheWatchIsCutIsToldAfterwards) {
  platform::EventLoop loop;
  kube::FakeApiServer server(loop);
  server.Create(kube::kNodes, "", NodeObject(1, CardsText(1, 1)));
  server.Create(kube::kPods, "default",
                PodObject({.node = "n1", .assignment = AssignmentText(1, 0)}));
  Watcher watcher(loop, server.config());
  ASSERT_TRUE(loop.RunUntil([&] { return watcher.feed.is_synced(); }, kLimit));
  server.CutWatches();
  server.Delete(kube::kPods, {"default", "p"});
  server.ForgetHistory();
  EXPECT_TRUE(loop.RunUntil([&] { return watcher.FreeGiB(1, 0) == 16; }, kLimit));
}

}  // namespace
}  // namespace warpshare::cluster
