// An HTTP/1.1 server, plain or with TLS, on an EventLoop.
//
// Threads: a server is made, used and destroyed on its loop's thread, and handlers are called
// there. A Responder may be used on any thread while the loop lives. Errors: what a client does
// wrong (bad bytes, too large, too slow) is answered with 4xx where it still can be, counted, and
// never reaches the handler. Nothing a client does holds more than its own connection, and that one
// for no longer than the limits say. When all connections are taken, the address that has most of
// them makes room for one that has fewer, so that nobody keeps others out; its idle ones go first.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "platform/event_loop/event_loop.h"
#include "platform/http/message.h"
#include "platform/http/message_reader.h"
#include "platform/http/tls.h"
#include "result/result.h"

namespace warpshare::http {

class ServerConnection;

struct ServerLimits {
  using Time = std::chrono::milliseconds;
  MessageLimits message{.header_bytes = 16 * 1024, .body_bytes = 8 * 1024 * 1024};
  size_t connections = 256;
  // Of the requests that are being taken in or answered. Beyond that each connection has its equal
  // part of it, and one that wants more gets 503.
  size_t bytes_together = 64 * 1024 * 1024;
  Time idle_time{90'000};    // a connection without a request
  Time read_time{10'000};    // from the first byte of a request, or of TLS, to the last
  Time answer_time{30'000};  // for the handler; then the client gets 503
  Time write_time{10'000};   // for a client to take an answer, or one piece of a stream
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // "::": every address there is, of IPv4 and IPv6
  uint16_t port = 0;                  // 0: one that is free
  std::optional<ServerTls> tls = {};
  ServerLimits limits = {};
};

struct ServerCounts {
  uint64_t accepted = 0;
  uint64_t turned_away = 0;  // no room for the connection
  uint64_t requests = 0;
  uint64_t bad_messages = 0;  // answered with 400, 413 or 431
  uint64_t too_much = 0;      // 503 in place of taking in more
  uint64_t slow_clients = 0;  // cut off
  uint64_t slow_answers = 0;  // 503 in place of the handler's answer
  uint64_t bad_handshakes = 0;
};

// An answer that goes on: sent in pieces until End, or until the client has gone.
class ResponseStream {
 public:
  ResponseStream() = default;  // to nobody

  // False when the client has gone. Pieces that the client does not take yet are kept in memory;
  // a client that stops taking them is cut off after write_time.
  bool Write(const std::string& piece);
  void End();

 private:
  friend class Responder;
  explicit ResponseStream(std::weak_ptr<ServerConnection> connection)
      : connection_(std::move(connection)) {}
  std::weak_ptr<ServerConnection> connection_;
};

// Answers one request, now or later. Copies answer the same request: the first answer counts, and
// when the last copy is gone without one, the client gets 500.
class Responder {
 public:
  void Respond(Response response) const;  // from any thread

  // On the loop's thread only. `gone` is called when the client leaves before End.
  ResponseStream Stream(unsigned status, Headers headers, std::function<void()> gone) const;

 private:
  friend class ServerConnection;
  struct Exchange;
  explicit Responder(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
  std::shared_ptr<Exchange> exchange_;
};

class Server {
 public:
  using Handler = std::function<void(Request, Responder)>;

  static Result<std::unique_ptr<Server>> Listen(platform::EventLoop& loop, ServerOptions options,
                                                Handler handler);
  // Cuts off whoever is still connected.
  ~Server();

  uint16_t port() const;
  const ServerCounts& counts() const;
  size_t connections() const;

  // For connections that come from now on; on failure the former stays. Only with options.tls.
  Result<void> UseTls(const ServerTls& tls);

  // Takes no new connections or requests; what is being answered is answered, for up to `grace`.
  // Then `stopped` is called.
  void Stop(std::chrono::milliseconds grace, std::function<void()> stopped);

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpshare::http
