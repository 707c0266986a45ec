#include "cluster/quota/quota_watch.h"

#include <gtest/gtest.h>

#include <vector>

#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::quota {
namespace {

const kube::ObjectName kConfigMap{"warpshare-system", "warpshare-quota"};

struct KeptLog final : platform::Log {
  void Line(std::string_view text) override { lines.emplace_back(text); }
  std::vector<std::string> lines;
};

class QuotaWatchTest : public testing::Test {
 protected:
  QuotaWatchTest()
      : server_(loop_),
        client_(kube::Client::Make(loop_, {.config = server_.config()}).value()),
        watch_(*client_, kConfigMap, book_, log_) {}

  void Write(const std::string& data) {
    const std::string object = R"({"metadata": {"namespace": "warpshare-system",
        "name": "warpshare-quota"}, "data": )" +
                               data + "}";
    if (server_.Get(kube::kConfigMaps, kConfigMap).empty())
      server_.Create(kube::kConfigMaps, kConfigMap.space, object);
    else
      server_.Merge(kube::kConfigMaps, kConfigMap, object);
  }

  // The most cards that a pod of namespace a may have; 99: no limit, -1: nothing may be had.
  int MostCards() const {
    if (!book_.quotas()) return -1;
    const auto found = book_.quotas()->find("a");
    if (found == book_.quotas()->end()) return 99;
    return found->second ? static_cast<int>(found->second->at("").cards.value_or(99)) : -1;
  }
  bool Becomes(int cards) {
    return loop_.RunUntil([&] { return MostCards() == cards; }, std::chrono::seconds(20));
  }

  platform::EventLoop loop_;
  kube::FakeApiServer server_;
  std::unique_ptr<kube::Client> client_;
  QuotaBook book_;
  KeptLog log_;
  QuotaWatch watch_;
};

TEST_F(QuotaWatchTest, FollowsTheConfigMap) {
  watch_.Start();
  EXPECT_TRUE(Becomes(99));
  Write(R"({"a": "cards = 2"})");
  EXPECT_TRUE(Becomes(2));
  Write(R"({"a": "cards = 5"})");
  EXPECT_TRUE(Becomes(5));
  server_.Delete(kube::kConfigMaps, kConfigMap);
  EXPECT_TRUE(Becomes(99));
}

TEST_F(QuotaWatchTest, KeepsTheLimitsThatCouldBeReadLast) {
  Write(R"({"a": "cards = 2", "b": "nonsense"})");
  watch_.Start();
  ASSERT_TRUE(Becomes(2));
  ASSERT_EQ(log_.lines.size(), 1u);
  EXPECT_TRUE(log_.lines[0].starts_with("quota-unreadable namespace=b error=\"line 1"));
  EXPECT_TRUE(book_.Check("b", {{"", {.cards = 1}}}));
  Write(R"({"a": "cards = many", "b": "cards = 1"})");
  ASSERT_TRUE(loop_.RunUntil([&] { return log_.lines.size() == 2; }, std::chrono::seconds(20)));
  EXPECT_EQ(MostCards(), 2);
  EXPECT_FALSE(book_.Check("b", {{"", {.cards = 1}}}));
}

}  // namespace
}  // namespace warpshare::quota
