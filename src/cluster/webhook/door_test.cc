// What the door does while the loop behind it is busy with something else.
#include "cluster/webhook/door.h"

#include <gtest/gtest.h>

#include <optional>

#include "platform/http/testing/certificates.h"
#include "platform/http/testing/raw_peer.h"

namespace warpshare::webhook {
namespace {

constexpr char kQuestion[] = "GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n";

class DoorTest : public testing::Test {
 protected:
  using Loop = platform::EventLoop;

  void Open(std::optional<http::ServerTls> tls = {}) {
    door_ = Door::Open(loop_, {.tls = std::move(tls), .limits = {}}, [this](Asked) {
              return answer_();
            }).value();
  }

  http::RawPeer Peer(http::TlsContext tls = nullptr) {
    return http::RawPeer(outside_, door_->port(), std::move(tls));
  }

  [[nodiscard]] static bool Until(Loop& loop, const std::function<bool()>& done) {
    return loop.RunUntil(done, std::chrono::seconds(20));
  }

  Loop loop_;
  Loop outside_;
  int judged_ = 0;
  std::function<http::Response()> answer_ = [this] {
    ++judged_;
    return http::Response::Text("yes");
  };
  std::unique_ptr<Door> door_;
};

TEST_F(DoorTest, ShakesHandsWhileTheLoopIsBusy) {
  const http::TestAuthority authority;
  Open(http::ServerTls{authority.For("localhost"), ""});
  auto tls = http::MakeContext(
      http::ClientTls{.authorities = authority.identity.certificates, .identity = {}});
  http::RawPeer peer = Peer(*tls);
  peer.Send(kQuestion);
  ASSERT_TRUE(Until(outside_, [&] { return peer.is_connected(); })) << peer.error();
  EXPECT_EQ(judged_, 0);
  ASSERT_TRUE(Until(loop_, [&] { return judged_ == 1; }));
  ASSERT_TRUE(Until(outside_, [&] { return peer.ended(); }));
  EXPECT_TRUE(peer.got().ends_with("yes")) << peer.got();
}

TEST_F(DoorTest, LeavesOthersOnTheLoopTheirTurnBetweenTwoQuestions) {
  Open();
  http::RawPeer first = Peer(), second = Peer(), nonsense = Peer();
  int judged_before_others = 0;
  answer_ = [&] {
    if (++judged_ > 1) return http::Response::Text("yes");
    // The door itself answers what is no request: it has read the one before by then.
    second.Send(kQuestion);
    nonsense.Send("nonsense\r\n\r\n");
    EXPECT_TRUE(Until(outside_, [&] { return nonsense.ended(); }));
    loop_.Post([&] { judged_before_others = judged_; });
    return http::Response::Text("yes");
  };
  first.Send(kQuestion);
  ASSERT_TRUE(Until(outside_, [&] {
    return first.is_connected() && second.is_connected() && nonsense.is_connected();
  }));
  ASSERT_TRUE(Until(loop_, [&] { return judged_ == 2; }));
  EXPECT_EQ(judged_before_others, 1);
}

TEST_F(DoorTest, AnswersWhatIsUnderWayBeforeItStops) {
  Open();
  http::RawPeer peer = Peer();
  bool stopped = false;
  answer_ = [&] {
    door_->Stop(std::chrono::seconds(60), [&] { stopped = true; });
    return http::Response::Text("yes");
  };
  peer.Send(kQuestion);
  ASSERT_TRUE(Until(outside_, [&] { return peer.is_connected(); }));
  ASSERT_TRUE(Until(loop_, [&] { return stopped; }));
  ASSERT_TRUE(Until(outside_, [&] { return peer.ended(); }));
  EXPECT_TRUE(peer.got().ends_with("yes")) << peer.got();
}

TEST_F(DoorTest, MayCloseWhileAQuestionWaitsOnTheLoop) {
  Open();
  http::RawPeer peer = Peer(), nonsense = Peer();
  peer.Send(kQuestion);
  ASSERT_TRUE(Until(outside_, [&] { return peer.is_connected() && nonsense.is_connected(); }));
  nonsense.Send("nonsense\r\n\r\n");
  ASSERT_TRUE(Until(outside_, [&] { return nonsense.ended(); }));
  door_.reset();
  ASSERT_TRUE(Until(outside_, [&] { return peer.ended(); }));
  bool went_on = false;
  loop_.Post([&] { went_on = true; });
  ASSERT_TRUE(Until(loop_, [&] { return went_on; }));
  EXPECT_EQ(judged_, 0);
}

TEST_F(DoorTest, SaysWhyACertificateCannotBeShown) {
  const http::TestAuthority authority;
  Open(http::ServerTls{authority.For("localhost"), ""});
  EXPECT_FALSE(door_->UseTls({{"half a file", "half a key"}, ""}));
  EXPECT_TRUE(door_->UseTls({authority.For("localhost"), ""}));
}

}  // namespace
}  // namespace warpshare::webhook
