// Clients that are good, bad, slow and gone.
#include "platform/http/server.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "platform/http/testing/raw_peer.h"

namespace warpshare::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ServerTest : public testing::Test {
 protected:
  void Listen(ServerLimits limits = {}) {
    auto server = Server::Listen(loop_, {.tls = {}, .limits = limits},
                                 [this](Request request, Responder responder) {
                                   handler_(std::move(request), std::move(responder));
                                 });
    ASSERT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
  }

  RawPeer Peer() { return RawPeer(loop_, server_->port()); }

  [[nodiscard]] bool Until(const std::function<bool()>& done) {
    return loop_.RunUntil(done, seconds(20));
  }

  EventLoop loop_;
  Server::Handler handler_ = [](const Request& request, const Responder& responder) {
    responder.Respond(Response::Text(request.method + ' ' + request.path + ' ' + request.body));
  };
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, AnswersOneRequestAfterAnotherOnAConnection) {
  Listen();
  RawPeer peer = Peer();
  peer.Send("GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");
  ASSERT_TRUE(Until([&] { return peer.got().find("POST /2 ab") != std::string::npos; }));
  EXPECT_NE(peer.got().find("GET /1 "), std::string::npos);
  EXPECT_FALSE(peer.ended());
  EXPECT_EQ(server_->counts().requests, 2u);
  EXPECT_EQ(server_->counts().accepted, 1u);
}

TEST_F(ServerTest, SendsNoBodyToWhoAsksForTheHeadOnly) {
  Listen();
  RawPeer peer = Peer();
  peer.Send("HEAD /1 HTTP/1.1\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(Until([&] { return peer.ended(); }));
  EXPECT_TRUE(peer.got().ends_with("\r\n\r\n")) << peer.got();
  EXPECT_NE(peer.got().find("Content-Length: 8\r\n"), std::string::npos);
}

TEST_F(ServerTest, AnswersLaterAndFromAnotherThread) {
  std::thread other;
  handler_ = [&](const Request&, Responder responder) {
    other = std::thread([responder = std::move(responder)] {
      responder.Respond(Response::Text("later"));
      responder.Respond(Response::Text("too late"));
    });
  };
  Listen();
  RawPeer peer = Peer();
  peer.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(Until([&] { return peer.ended(); }));
  other.join();
  EXPECT_TRUE(peer.got().ends_with("\r\n\r\nlater")) << peer.got();
}

TEST_F(ServerTest, SaysSoWhenTheHandlerForgetsARequest) {
  handler_ = [](const Request&, const Responder&) {};
  Listen();
  RawPeer peer = Peer();
  peer.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(Until([&] { return peer.ended(); }));
  EXPECT_TRUE(peer.got().starts_with("HTTP/1.1 500 ")) << peer.got();
}

TEST_F(ServerTest, SaysSoWhenTheHandlerTakesTooLong) {
  std::vector<Responder> kept;
  handler_ = [&](const Request&, Responder responder) { kept.push_back(std::move(responder)); };
  Listen({.answer_time = milliseconds(5)});
  RawPeer peer = Peer();
  peer.Send("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(Until([&] { return !peer.got().empty(); }));
  EXPECT_TRUE(peer.got().starts_with("HTTP/1.1 503 ")) << peer.got();
  EXPECT_EQ(server_->counts().slow_answers, 1u);
}

TEST_F(ServerTest, KeepsALateAnswerFromTheNextRequest) {
  std::vector<Responder> kept;
  handler_ = [&](const Request&, Responder responder) { kept.push_back(std::move(responder)); };
  Listen({.answer_time = milliseconds(5)});
  RawPeer peer = Peer();
  peer.Send("GET /1 HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(Until([&] { return !peer.got().empty(); }));
  peer.Send("GET /2 HTTP/1.1\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(Until([&] { return kept.size() == 2; }));
  kept[0].Respond(Response::Text("for the first"));
  kept[1].Respond(Response::Text("for the second"));
  ASSERT_TRUE(Until([&] { return peer.ended(); }));
  EXPECT_EQ(peer.got().find("for the first"), std::string::npos);
}

TEST_F(ServerTest, TellsABadClientWhyAndEndsTheConnection) {
  Listen({.message = {.header_bytes = 1024, .body_bytes = 1000}});
  RawPeer nonsense = Peer(), large = Peer(), long_head = Peer();
  nonsense.Send("nonsense\r\n\r\n");
  large.Send("POST / HTTP/1.1\r\nContent-Length: 5000000\r\n\r\n" + std::string(5'000'000, 'x'));
  long_head.Send("GET / HTTP/1.1\r\nX: " + std::string(2000, 'x'));
  ASSERT_TRUE(Until([&] { return nonsense.ended() && large.ended() && long_head.ended(); }));
  EXPECT_TRUE(nonsense.got().starts_with("HTTP/1.1 400 ")) << nonsense.got();
  EXPECT_TRUE(large.got().starts_with("HTTP/1.1 413 ")) << large.got();
  EXPECT_NE(large.got().find("the body is over 1000 bytes"), std::string::npos);
  EXPECT_TRUE(long_head.got().starts_with("HTTP/1.1 431 ")) << long_head.got();
  EXPECT_EQ(server_->counts().bad_messages, 3u);
  EXPECT_EQ(server_->counts().requests, 0u);
}

TEST_F(ServerTest, CutsOffAClientThatSendsTooSlowly) {
  Listen({.read_time = milliseconds(30)});
  RawPeer head = Peer(), body = Peer();
  head.Send("GET / HTTP/1.1\r\nX: ");
  body.Send("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nab");
  ASSERT_TRUE(Until([&] { return head.ended() && body.ended(); }));
  EXPECT_TRUE(head.got().starts_with("HTTP/1.1 408 ")) << head.got();
  EXPECT_TRUE(body.got().starts_with("HTTP/1.1 408 ")) << body.got();
  EXPECT_EQ(server_->counts().slow_clients, 2u);
  EXPECT_EQ(server_->connections(), 0u);
}

TEST_F(ServerTest, CutsOffAClientThatDoesNotTakeItsAnswer) {
  handler_ = [](const Request&, const Responder& responder) {
    responder.Respond(Response::Text(std::string(64 << 20, 'x')));
  };
  Listen({.write_time = milliseconds(30)});
  bool connected = false;
  TransportPtr silent;  // sends, and never reads
  const auto connecting = Connect(loop_, {"127.0.0.1", server_->port(), nullptr, ""},
                                  [&](Result<TransportPtr> transport) {
                                    silent = transport.value();
                                    connected = true;
                                    silent->Write("GET / HTTP/1.1\r\n\r\n", [](Result<void>) {});
                                  });
  ASSERT_TRUE(Until([&] { return connected && server_->counts().slow_clients == 1; }));
  EXPECT_TRUE(Until([&] { return server_->connections() == 0; }));
  silent->Close();
}

TEST_F(ServerTest, GivesUpAConnectionThatStaysIdle) {
  Listen({.idle_time = milliseconds(200)});  // the request comes well before
  RawPeer never = Peer(), once = Peer();
  once.Send("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(Until([&] { return never.ended() && once.ended(); }));
  EXPECT_EQ(server_->counts().requests, 1u);
  EXPECT_EQ(server_->counts().slow_clients, 0u);
}

TEST_F(ServerTest, MakesRoomByEndingWhatIsIdleForLongest) {
  std::vector<Responder> kept;
  handler_ = [&](const Request&, Responder responder) { kept.push_back(std::move(responder)); };
  Listen({.connections = 2});
  RawPeer busy = Peer();
  busy.Send("GET /busy HTTP/1.1\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(Until([&] { return kept.size() == 1; }));
  RawPeer idle = Peer();
  ASSERT_TRUE(Until([&] { return server_->connections() == 2; }));
  RawPeer third = Peer();
  third.Send("GET /third HTTP/1.1\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(Until([&] { return idle.ended() && kept.size() == 2; }));
  RawPeer fourth = Peer();
  ASSERT_TRUE(Until([&] { return fourth.ended(); }));
  EXPECT_EQ(server_->counts().turned_away, 1u);
  kept.clear();
  ASSERT_TRUE(Until([&] { return busy.ended() && third.ended(); }));
}

TEST_F(ServerTest, WaitsForTheBodyOnlyOnceTheClientMaySendIt) {
  Listen();
  RawPeer peer = Peer();
  peer.Send("POST / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  ASSERT_TRUE(Until([&] { return peer.got() == "HTTP/1.1 100 Continue\r\n\r\n"; }));
  peer.Send("ab");
  ASSERT_TRUE(Until([&] { return peer.got().ends_with("POST / ab"); }));
}

TEST_F(ServerTest, StreamsAnAnswerUntilItsEnd) {
  std::optional<ResponseStream> stream;
  handler_ = [&](const Request&, const Responder& responder) {
    stream = responder.Stream(200, {}, [] { FAIL() << "nobody has gone"; });
  };
  Listen();
  RawPeer peer = Peer();
  peer.Send("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(Until([&] { return stream.has_value(); }));
  EXPECT_TRUE(stream->Write("abc"));
  ASSERT_TRUE(Until([&] { return peer.got().ends_with("3\r\nabc\r\n"); }));
  stream->End();
  EXPECT_FALSE(stream->Write("more"));
  ASSERT_TRUE(Until([&] { return peer.ended(); }));
  EXPECT_TRUE(peer.got().ends_with("3\r\nabc\r\n0\r\n\r\n")) << peer.got();
}

TEST_F(ServerTest, SaysWhenTheClientOfAStreamHasGone) {
  std::optional<ResponseStream> stream;
  bool gone = false;
  handler_ = [&](const Request&, const Responder& responder) {
    stream = responder.Stream(200, {}, [&] { gone = true; });
  };
  Listen();
  RawPeer peer = Peer();
  peer.Send("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(Until([&] { return !peer.got().empty(); }));
  peer.Close();
  ASSERT_TRUE(Until([&] { return gone; }));
  EXPECT_FALSE(stream->Write("x"));
}

TEST_F(ServerTest, AnswersWhatIsUnderWayBeforeItStops) {
  std::vector<Responder> kept;
  handler_ = [&](const Request&, Responder responder) { kept.push_back(std::move(responder)); };
  Listen();
  RawPeer idle = Peer(), busy = Peer();
  busy.Send("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(Until([&] { return kept.size() == 1 && server_->connections() == 2; }));
  bool stopped = false;
  server_->Stop(seconds(60), [&] { stopped = true; });
  ASSERT_TRUE(Until([&] { return idle.ended(); }));
  EXPECT_FALSE(stopped);
  kept[0].Respond(Response::Text("done"));
  ASSERT_TRUE(Until([&] { return stopped && busy.ended(); }));
  EXPECT_TRUE(busy.got().ends_with("done")) << busy.got();
}

TEST_F(ServerTest, StopsWithoutWhatIsNotAnsweredInTime) {
  std::vector<Responder> kept;
  handler_ = [&](const Request&, Responder responder) { kept.push_back(std::move(responder)); };
  Listen();
  RawPeer busy = Peer();
  busy.Send("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(Until([&] { return kept.size() == 1; }));
  server_->Stop(milliseconds(5), [&] { server_.reset(); });
  ASSERT_TRUE(Until([&] { return server_ == nullptr && busy.ended(); }));
  EXPECT_EQ(busy.got(), "");
  kept.clear();  // answers nobody
}

TEST_F(ServerTest, SaysWhyItCannotListen) {
  Listen();
  const auto second = Server::Listen(loop_, {.port = server_->port(), .tls = {}, .limits = {}},
                                     [](Request, Responder) {});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find(std::to_string(server_->port())), std::string::npos);
}

}  // namespace
}  // namespace warpshare::http
