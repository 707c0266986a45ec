// Servers that are good, gone and strange.
#include "platform/http/client.h"

#include <gtest/gtest.h>

#include <optional>

#include "platform/http/server.h"
#include "platform/http/testing/raw_peer.h"

namespace warpshare::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ClientTest : public testing::Test {
 protected:
  void Serve() {
    server_ = Server::Listen(loop_, {.tls = {}, .limits = {}},
                             [this](Request request, Responder responder) {
                               handler_(std::move(request), std::move(responder));
                             })
                  .value();
    Connect(server_->port());
  }

  // A server that says what the test says.
  void ServeRaw() {
    listener_ = Listener::Open(loop_, "127.0.0.1", 0, [this](TransportPtr transport) {
                  peers_.push_back(std::make_unique<RawPeer>(std::move(transport)));
                }).value();
    Connect(listener_->port());
  }

  void Connect(uint16_t port, size_t connections = 4) {
    client_ = Client::Make(loop_, {.host = "127.0.0.1",
                                   .port = port,
                                   .tls = {},
                                   .connections = connections,
                                   .waiting = 8})
                  .value();
  }

  Call Get(const std::string& target, milliseconds time = seconds(20)) {
    return client_->Send(
        {.target = target, .headers = {}, .body = {}, .time = time},
        [this](Result<Response> result) { results_.push_back(std::move(result)); });
  }

  // To a server that says what the test says: a first request is answered, and peers_[0] kept.
  void KeepAConnection() {
    const Call first = Get("/1");
    ASSERT_TRUE(Until([&] { return peers_.size() == 1 && !peers_[0]->got().empty(); }));
    peers_[0]->Send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    ASSERT_TRUE(UntilResults(1));
  }

  [[nodiscard]] bool Until(const std::function<bool()>& done) {
    return loop_.RunUntil(done, seconds(20));
  }
  [[nodiscard]] bool UntilResults(size_t count) {
    return Until([&] { return results_.size() == count; });
  }

  EventLoop loop_;
  Server::Handler handler_ = [](const Request& request, const Responder& responder) {
    responder.Respond(Response::Text(request.method + ' ' + request.path + ' ' + request.body));
  };
  std::unique_ptr<Server> server_;
  std::unique_ptr<Listener> listener_;
  std::vector<std::unique_ptr<RawPeer>> peers_;
  std::unique_ptr<Client> client_;
  std::vector<Result<Response>> results_;
};

TEST_F(ClientTest, UsesAConnectionAgain) {
  Serve();
  for (size_t i = 1; i <= 3; ++i) {
    Call call = Get("/x");
    ASSERT_TRUE(UntilResults(i));
    EXPECT_EQ(results_.back()->body, "GET /x ");
  }
  EXPECT_EQ(server_->counts().accepted, 1u);
}

TEST_F(ClientTest, SendsManyAtOnceOverAFewConnections) {
  Serve();
  client_ = Client::Make(
                loop_, {.host = "127.0.0.1", .port = server_->port(), .tls = {}, .connections = 4})
                .value();
  size_t done = 0;
  for (int i = 0; i < 500; ++i) {
    client_
        ->Send({.method = "POST", .target = "/bind", .headers = {}, .body = std::to_string(i)},
               [&done, i](Result<Response> result) {
                 ASSERT_TRUE(result) << result.error().message;
                 EXPECT_EQ(result->body, "POST /bind " + std::to_string(i));
                 ++done;
               })
        .Detach();
  }
  ASSERT_TRUE(Until([&] { return done == 500; }));
  EXPECT_LE(server_->counts().accepted, 4u);
  EXPECT_EQ(client_->connections(), 4u);
}

TEST_F(ClientTest, LeavesNoMoreInLineThanItShould) {
  ServeRaw();
  std::vector<Call> calls;
  for (int i = 0; i < 13; ++i) calls.push_back(Get("/x"));
  EXPECT_TRUE(results_.empty());  // never from within
  ASSERT_TRUE(UntilResults(5));   // all were in line at first
  EXPECT_EQ(results_[0].error().code, Errc::kUnavailable);
}

TEST_F(ClientTest, SaysThatNobodyListens) {
  ServeRaw();
  listener_.reset();
  Call first = Get("/1"), second = Get("/2");
  ASSERT_TRUE(UntilResults(2));
  for (const auto& result : results_) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::kUnavailable);
  }
}

TEST_F(ClientTest, GivesUpAnAnswerThatDoesNotCome) {
  ServeRaw();
  KeepAConnection();
  Call late = Get("/2", milliseconds(5));  // on the kept connection, which it has at once
  ASSERT_TRUE(UntilResults(2));
  ASSERT_FALSE(results_[1]);
  EXPECT_EQ(results_[1].error().code, Errc::kUnavailable);
  EXPECT_TRUE(Until([&] { return client_->connections() == 0; }));
}

TEST_F(ClientTest, AsksAgainWhenItsKeptConnectionTurnsOutClosed) {
  ServeRaw();
  KeepAConnection();
  Call second = Get("/2");
  ASSERT_TRUE(Until([&] { return peers_[0]->got().find("/2") != std::string::npos; }));
  peers_[0]->Close();
  ASSERT_TRUE(Until([&] { return peers_.size() == 2 && !peers_[1]->got().empty(); }));
  peers_[1]->Send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  ASSERT_TRUE(UntilResults(2));
  EXPECT_EQ(results_[1]->body, "ok");
}

TEST_F(ClientTest, NeverSendsAPostTwice) {
  ServeRaw();
  KeepAConnection();
  Call second = client_->Send({.method = "POST", .target = "/2", .headers = {}, .body = "x"},
                              [&](Result<Response> result) { results_.push_back(result); });
  ASSERT_TRUE(Until([&] { return peers_[0]->got().find("/2") != std::string::npos; }));
  peers_[0]->Close();
  ASSERT_TRUE(UntilResults(2));
  EXPECT_EQ(results_[1].error().code, Errc::kUnavailable);
  EXPECT_EQ(peers_.size(), 1u);
}

TEST_F(ClientTest, DropsAnIdleConnectionThatTheServerCloses) {
  ServeRaw();
  KeepAConnection();
  peers_[0]->Close();
  EXPECT_TRUE(Until([&] { return client_->connections() == 0; }));
}

TEST_F(ClientTest, RefusesAnswersThatAreNotHttpOrCutOff) {
  ServeRaw();
  Call first = Get("/1");
  ASSERT_TRUE(Until([&] { return peers_.size() == 1 && !peers_[0]->got().empty(); }));
  peers_[0]->Send("SSH-2.0-OpenSSH\r\n\r\n");
  ASSERT_TRUE(UntilResults(1));
  EXPECT_EQ(results_[0].error().code, Errc::kCorrupt);
  Call second = Get("/2");
  ASSERT_TRUE(Until([&] { return peers_.size() == 2 && !peers_[1]->got().empty(); }));
  peers_[1]->Send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
  ASSERT_TRUE(Until([&] { return peers_[1]->got().find("/2") != std::string::npos; }));
  platform::Timer ending(loop_);
  ending.Set(milliseconds(5), [&] { peers_[1]->Close(); });
  ASSERT_TRUE(UntilResults(2));
  EXPECT_EQ(results_[1].error().code, Errc::kUnavailable);
}

TEST_F(ClientTest, CallsNothingBackOnceACallIsTakenBack) {
  ServeRaw();
  {
    Call call = Get("/1");
    ASSERT_TRUE(Until([&] { return peers_.size() == 1 && !peers_[0]->got().empty(); }));
  }
  ASSERT_TRUE(Until([&] { return peers_[0]->ended(); }));  // and the server learns of it
  EXPECT_TRUE(results_.empty());
}

TEST_F(ClientTest, MayBeDestroyedByItsOwnAnswerAndWhileOthersWait) {
  Serve();
  bool called = false;
  Call waiting = Get("/waiting", milliseconds(1));
  client_
      ->Send({.target = "/x", .headers = {}, .body = {}},
             [&](Result<Response>) {
               called = true;
               client_.reset();
             })
      .Detach();
  ASSERT_TRUE(Until([&] { return called; }));
  const size_t so_far = results_.size();
  platform::Timer later(loop_);
  bool over = false;
  later.Set(milliseconds(10), [&] { over = true; });
  ASSERT_TRUE(Until([&] { return over; }));
  EXPECT_EQ(results_.size(), so_far);
}

class StreamTest : public ClientTest {
 protected:
  Call Stream(milliseconds quiet_time = seconds(20)) {
    return client_->Stream({.target = "/watch", .headers = {}, .body = {}},
                           {.began = [this](const Response& head) { status_ = head.status; },
                            .piece = [this](std::string piece) { got_ += piece; },
                            .ended = [this](Result<void> result) { ended_ = std::move(result); },
                            .quiet_time = quiet_time});
  }

  unsigned status_ = 0;
  std::string got_;
  std::optional<Result<void>> ended_;
};

TEST_F(StreamTest, PassesPiecesOnAsTheyCome) {
  std::optional<ResponseStream> stream;
  handler_ = [&](const Request&, const Responder& responder) {
    stream = responder.Stream(200, {}, [] {});
  };
  Serve();
  Call call = Stream();
  ASSERT_TRUE(Until([&] { return status_ == 200; }));
  stream->Write("abc");
  ASSERT_TRUE(Until([&] { return got_ == "abc"; }));
  stream->Write("def");
  ASSERT_TRUE(Until([&] { return got_ == "abcdef"; }));
  EXPECT_FALSE(ended_);
  stream->End();
  ASSERT_TRUE(Until([&] { return ended_.has_value(); }));
  EXPECT_TRUE(*ended_);
}

TEST_F(StreamTest, EndsWithAnErrorWhenItIsCutOff) {
  std::optional<ResponseStream> stream;
  handler_ = [&](const Request&, const Responder& responder) {
    stream = responder.Stream(200, {}, [] {});
  };
  Serve();
  Call call = Stream();
  ASSERT_TRUE(Until([&] { return status_ == 200; }));
  server_.reset();
  ASSERT_TRUE(Until([&] { return ended_.has_value(); }));
  EXPECT_FALSE(*ended_);
}

TEST_F(StreamTest, EndsWithAnErrorWhenItGoesQuiet) {
  ServeRaw();
  Call call = Stream(milliseconds(5));
  ASSERT_TRUE(Until([&] { return peers_.size() == 1 && !peers_[0]->got().empty(); }));
  peers_[0]->Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
  ASSERT_TRUE(Until([&] { return ended_.has_value(); }));
  EXPECT_FALSE(*ended_);
  EXPECT_EQ(got_, "x");
}

TEST_F(StreamTest, IsLeftByDestroyingItsCall) {
  std::optional<ResponseStream> stream;
  bool gone = false;
  handler_ = [&](const Request&, const Responder& responder) {
    stream = responder.Stream(200, {}, [&] { gone = true; });
  };
  Serve();
  {
    Call call = Stream();
    ASSERT_TRUE(Until([&] { return status_ == 200; }));
  }
  ASSERT_TRUE(Until([&] { return gone; }));
  EXPECT_FALSE(ended_);
}

TEST_F(StreamTest, SaysThatNobodyListens) {
  ServeRaw();
  listener_.reset();
  Call call = Stream();
  ASSERT_TRUE(Until([&] { return ended_.has_value(); }));
  EXPECT_FALSE(*ended_);
}

}  // namespace
}  // namespace warpshare::http
