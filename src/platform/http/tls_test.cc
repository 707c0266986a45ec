// Who believes whom, and certificates that change while the server runs.
#include "platform/http/tls.h"

#include <gtest/gtest.h>

#include "platform/http/client.h"
#include "platform/http/server.h"
#include "platform/http/testing/certificates.h"
#include "platform/http/testing/raw_peer.h"

namespace warpshare::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class TlsTest : public testing::Test {
 protected:
  void Serve(ServerTls tls, ServerLimits limits = {}) {
    server_ = Server::Listen(loop_, {.tls = std::move(tls), .limits = limits},
                             [](const Request&, const Responder& responder) {
                               responder.Respond(Response::Text("secret"));
                             })
                  .value();
  }

  std::unique_ptr<Client> Connect(ClientTls tls) {
    return Client::Make(loop_,
                        {.host = "127.0.0.1", .port = server_->port(), .tls = std::move(tls)})
        .value();
  }

  Result<Response> Ask(Client& client) {
    Result<Response> answer = Fail(Errc::kSystem, "nothing came");
    bool done = false;
    Call call =
        client.Send({.target = "/", .headers = {}, .body = {}}, [&](Result<Response> result) {
          answer = std::move(result);
          done = true;
        });
    EXPECT_TRUE(loop_.RunUntil([&] { return done; }, seconds(20)));
    return answer;
  }

  Result<Response> AskAnew(ClientTls tls) { return Ask(*Connect(std::move(tls))); }

  ClientTls Believing(const TestAuthority& authority, std::string server_name = "localhost") {
    return {.authorities = authority.identity.certificates,
            .identity = {},
            .server_name = std::move(server_name)};
  }

  EventLoop loop_;
  const TestAuthority ours_;
  std::unique_ptr<Server> server_;
};

TEST_F(TlsTest, CarriesRequestsByNameAndByAddress) {
  Serve({ours_.For("localhost"), ""});
  const auto by_name = AskAnew(Believing(ours_));
  ASSERT_TRUE(by_name) << by_name.error().message;
  EXPECT_EQ(by_name->body, "secret");
  Serve({ours_.For("127.0.0.1"), ""});
  EXPECT_TRUE(AskAnew(Believing(ours_, "")));
}

TEST_F(TlsTest, BelievesNoCertificateThatIsNotRight) {
  const TestAuthority others("others");
  const auto now = std::chrono::system_clock::now();
  const auto expired = ours_.For("localhost", {now - std::chrono::hours(2), now - seconds(10)});
  for (const ServerTls& wrong : {ServerTls{others.For("localhost"), ""},
                                 ServerTls{ours_.For("elsewhere"), ""}, ServerTls{expired, ""}}) {
    Serve(wrong);
    const auto answer = AskAnew(Believing(ours_));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::kPermission) << answer.error().message;
  }
}

TEST_F(TlsTest, AsksClientsForTheirCertificate) {
  const TestAuthority others("others");
  Serve({ours_.For("localhost"), ours_.identity.certificates});
  ClientTls client = Believing(ours_);
  EXPECT_FALSE(AskAnew(client));
  client.identity = others.For("a stranger");
  EXPECT_FALSE(AskAnew(client));
  client.identity = ours_.For("a friend");
  EXPECT_TRUE(AskAnew(client));
  EXPECT_EQ(server_->counts().requests, 1u);
}

TEST_F(TlsTest, ShowsANewCertificateToNewConnectionsOnly) {
  const TestAuthority next("next");
  Serve({ours_.For("localhost"), ""});
  const auto old_client = Connect(Believing(ours_));
  ASSERT_TRUE(Ask(*old_client));
  ASSERT_TRUE(server_->UseTls({next.For("localhost"), ""}));
  EXPECT_TRUE(Ask(*old_client));  // over its kept connection
  EXPECT_FALSE(AskAnew(Believing(ours_)));
  EXPECT_TRUE(AskAnew(Believing(next)));
}

TEST_F(TlsTest, KeepsItsCertificateWhenTheNewOneIsUnusable) {
  Serve({ours_.For("localhost"), ""});
  EXPECT_FALSE(server_->UseTls({{"half a file", "half a key"}, ""}));
  EXPECT_TRUE(AskAnew(Believing(ours_)));
}

TEST_F(TlsTest, LetsAClientBelieveAnotherAuthorityFromNowOn) {
  const TestAuthority next("next");
  Serve({next.For("localhost"), ""});
  const auto client = Connect(Believing(ours_));
  EXPECT_FALSE(Ask(*client));
  ASSERT_TRUE(client->UseTls(Believing(next)));
  EXPECT_TRUE(Ask(*client));
}

TEST_F(TlsTest, CutsOffWhoSpeaksNoTls) {
  Serve({ours_.For("localhost"), ""});
  RawPeer plain(loop_, server_->port());
  plain.Send("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(loop_.RunUntil([&] { return plain.ended(); }, seconds(20)));
  EXPECT_EQ(server_->counts().bad_handshakes, 1u);
  EXPECT_EQ(server_->counts().requests, 0u);
}

TEST_F(TlsTest, CutsOffWhoSaysNothingAtAll) {
  Serve({ours_.For("localhost"), ""}, {.read_time = milliseconds(30)});
  RawPeer silent(loop_, server_->port());
  ASSERT_TRUE(loop_.RunUntil([&] { return silent.ended(); }, seconds(20)));
  EXPECT_EQ(server_->counts().slow_clients, 1u);
  EXPECT_EQ(server_->counts().requests, 0u);
}

TEST_F(TlsTest, CarriesAnAnswerOfManyRecordsWhole) {
  const std::string large(3'000'000, 'y');
  server_ = Server::Listen(loop_, {.tls = ServerTls{ours_.For("localhost"), ""}, .limits = {}},
                           [&](const Request&, const Responder& responder) {
                             responder.Respond(Response::Text(large));
                           })
                .value();
  const auto answer = AskAnew(Believing(ours_));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->body, large);
}

}  // namespace
}  // namespace warpshare::http
