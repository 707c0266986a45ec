#include "node/exporter/exporter.h"

#include <gtest/gtest.h>

#include "platform/http/client.h"

namespace warpshare::node {
namespace {

using namespace std::chrono_literals;

class ExporterTest : public testing::Test {
 protected:
  ExporterTest()
      : exporter_(std::move(
            *Exporter::Start({.address = "127.0.0.1",
                              .read =
                                  [this] {
                                    ++scrapes_;
                                    return NodeReading{};
                                  },
                              .missing = [this] { return missing_.load() ? "something" : ""; },
                              .version = "1.2.3"}))) {}

  http::Response Ask(const std::string& method, const std::string& path) {
    auto client =
        std::move(*http::Client::Make(loop_, {.host = "127.0.0.1", .port = exporter_->port()}));
    std::optional<Result<http::Response>> answer;
    const http::Call call =
        client->Send({.method = method, .target = path},
                     [&](Result<http::Response> done) { answer = std::move(done); });
    EXPECT_TRUE(loop_.RunUntil([&] { return answer.has_value(); }, 30s));
    return answer && *answer ? **answer : http::Response{.status = 0};
  }

  std::atomic<int> scrapes_ = 0;
  std::atomic<bool> missing_ = false;
  platform::EventLoop loop_;
  std::unique_ptr<Exporter> exporter_;
};

TEST_F(ExporterTest, ReadsAnewForEveryScrape) {
  EXPECT_EQ(Ask("GET", "/metrics").status, 200u);
  EXPECT_EQ(Ask("GET", "/metrics").headers.Find("Content-Type"),
            platform::MetricPage::kContentType);
  EXPECT_EQ(scrapes_, 2);
}

TEST_F(ExporterTest, SaysWhichVersionItIs) {
  EXPECT_NE(Ask("GET", "/metrics").body.find("warpshare_build_info{version=\"1.2.3\"} 1\n"),
            std::string::npos);
}

TEST_F(ExporterTest, SaysThatItLivesWithoutReading) {
  EXPECT_EQ(Ask("GET", "/healthz").status, 200u);
  EXPECT_EQ(scrapes_, 0);
}

TEST_F(ExporterTest, IsReadyWhenNothingIsMissing) {
  EXPECT_EQ(Ask("GET", "/readyz").status, 200u);
  missing_ = true;
  const http::Response answer = Ask("GET", "/readyz");
  EXPECT_EQ(answer.status, 503u);
  EXPECT_EQ(answer.body, "something\n");
  EXPECT_EQ(Ask("GET", "/healthz").status, 200u) << "it lives";
  EXPECT_EQ(scrapes_, 0);
}

TEST_F(ExporterTest, RefusesWhatIsNoScrape) {
  EXPECT_EQ(Ask("POST", "/metrics").status, 405u);
  EXPECT_EQ(Ask("GET", "/").status, 404u);
}

}  // namespace
}  // namespace warpshare::node
