// A loop, a fake API server and a client of it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "platform/kube/client.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::kube {

class KubeTest : public testing::Test {
 protected:
  KubeTest() { client_ = MakeClient(server_.config()); }

  std::unique_ptr<Client> MakeClient(Config config) {
    return Client::Make(loop_, {.config = std::move(config), .agent = "test"}).value();
  }

  [[nodiscard]] bool Until(const std::function<bool()>& done) {
    return loop_.RunUntil(done, std::chrono::seconds(20));
  }

  // Runs the loop until what `ask` asks for is answered.
  template <typename Ask>
  Result<json::Document> Answer(Ask ask) {
    std::optional<Result<json::Document>> answer;
    const http::Call call = ask([&](Result<json::Document> came) { answer = std::move(came); });
    EXPECT_TRUE(Until([&] { return answer.has_value(); }));
    if (!answer) return Fail(Errc::kSystem, "nothing came");
    return std::move(*answer);
  }

  static std::string Pod(const std::string& name, const std::string& more = "") {
    return R"({"kind":"Pod","metadata":{"name":")" + name + "\"" + more + R"(},"spec":{}})";
  }

  platform::EventLoop loop_;
  FakeApiServer server_{loop_};
  std::unique_ptr<Client> client_;
};

}  // namespace warpshare::kube
