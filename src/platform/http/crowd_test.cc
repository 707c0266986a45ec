// Somebody who takes all that there is of a server, and others who come to it meanwhile.
#include <gtest/gtest.h>

#include "platform/http/server.h"
#include "platform/http/testing/crowd.h"
#include "platform/http/testing/raw_peer.h"

namespace warpshare::http {
namespace {

constexpr char kLast[] = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
constexpr char kHeld[] = "GET /held HTTP/1.1\r\n\r\n";  // not answered

class CrowdTest : public testing::Test {
 protected:
  void Listen(ServerLimits limits) {
    server_ = Server::Listen(loop_, {.tls = {}, .limits = limits},
                             [this](const Request& request, const Responder& responder) {
                               if (request.path == "/held") return held_.push_back(responder);
                               responder.Respond(Response::Text(request.path));
                             })
                  .value();
  }

  RawPeer Peer() { return RawPeer(loop_, server_->port()); }

  // "" if nothing came.
  std::string AnswerTo(const std::string& words) {
    RawPeer peer = Peer();
    peer.Send(words);
    EXPECT_TRUE(Until([&] { return peer.ended(); }));
    return peer.got();
  }

  [[nodiscard]] bool Until(const std::function<bool()>& done) {
    return loop_.RunUntil(done, std::chrono::seconds(20));
  }

  EventLoop loop_;
  std::vector<Responder> held_;
  std::unique_ptr<Server> server_;
};

TEST_F(CrowdTest, MakesRoomForWhoHasFewer) {
  Listen({.connections = 4});
  Crowd crowd(server_->port());
  crowd.Join(4, kHeld);
  ASSERT_TRUE(Until([&] { return held_.size() == 4; }));
  EXPECT_TRUE(AnswerTo(kLast).starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(server_->counts().turned_away, 0u);
}

TEST_F(CrowdTest, GetsNoMoreWhenItHasMost) {
  Listen({.connections = 4});
  RawPeer idle = Peer();
  ASSERT_TRUE(Until([&] { return idle.is_connected() && server_->connections() == 1; }));
  Crowd crowd(server_->port());
  crowd.Join(3, kHeld);
  ASSERT_TRUE(Until([&] { return held_.size() == 3; }));
  crowd.Join(5);
  ASSERT_TRUE(Until([&] { return server_->counts().turned_away == 5; }));
  EXPECT_FALSE(idle.ended());
}

TEST_F(CrowdTest, LosesItsIdleConnectionsFirst) {
  Listen({.connections = 4});
  RawPeer busy = Peer();
  busy.Send(kHeld);
  ASSERT_TRUE(Until([&] { return held_.size() == 1; }));
  RawPeer idle = Peer(), late = Peer();
  late.Send(kHeld);
  ASSERT_TRUE(Until([&] { return held_.size() == 2 && server_->connections() == 3; }));
  Crowd others(server_->port());
  others.Join(2);
  ASSERT_TRUE(Until([&] { return idle.ended(); }));
  EXPECT_FALSE(busy.ended() || late.ended());
}

TEST_F(CrowdTest, CannotHaveMoreTakenInThanThereIsRoomFor) {
  Listen({.message = {.header_bytes = 1000, .body_bytes = 1'000'000},
          .connections = 4,
          .bytes_together = 40'000});
  const std::string head = "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: ";
  RawPeer large = Peer();
  large.Send(head + "39000\r\n\r\n" + std::string(38'000, 'x'));
  EXPECT_TRUE(
      AnswerTo(head + "20000\r\n\r\n" + std::string(20'000, 'x')).starts_with("HTTP/1.1 503 "));
  EXPECT_EQ(server_->counts().too_much, 1u);
  EXPECT_TRUE(
      AnswerTo(head + "9000\r\n\r\n" + std::string(9'000, 'x')).starts_with("HTTP/1.1 200 "));
  large.Send(std::string(1'000, 'x'));
  ASSERT_TRUE(Until([&] { return large.ended(); }));
  EXPECT_TRUE(large.got().starts_with("HTTP/1.1 200 ")) << large.got();
  EXPECT_TRUE(
      AnswerTo(head + "20000\r\n\r\n" + std::string(20'000, 'x')).starts_with("HTTP/1.1 200 "));
}

}  // namespace
}  // namespace warpshare::http
