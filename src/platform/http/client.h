// An HTTP/1.1 client of one server, plain or with TLS, on an EventLoop. Connections are kept and
// used again; requests beyond `connections` wait in line.
//
// Threads: everything on the loop's thread. Callbacks come once, never from within the call that
// asked for them, and may do anything, also destroy the client.
// Errors: any answer, 500 too, is a Response. An Error means that there is none: kUnavailable (no
// connection, cut off, took too long, too many wait), kPermission (TLS: one side does not believe
// the other), kCorrupt (what came is not HTTP, or too large).
// A request that may have reached the server is not sent again, but for a GET that finds its kept
// connection closed.
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

struct ClientOptions {
  std::string host = {};
  uint16_t port = 0;
  std::optional<ClientTls> tls = {};
  size_t connections = 32;                        // at once; those of streams come on top
  size_t waiting = 20'000;                        // requests in line
  std::chrono::milliseconds connect_time{5'000};  // TLS included
  std::chrono::milliseconds idle_time{60'000};    // after which a kept connection is given up
  MessageLimits message{.header_bytes = 64 * 1024, .body_bytes = 512u * 1024 * 1024};
};

struct ClientRequest {
  std::string method = "GET";
  std::string target = {};  // "/path?query"
  Headers headers = {};     // Host and Content-Length are added
  std::string body = {};
  std::chrono::milliseconds time{30'000};  // for all of it, waiting in line included
};

// What comes of a request whose answer has no end of its own. `time` of the request ends with the
// head; from then on more has to come every `quiet_time`.
struct StreamEvents {
  std::function<void(const Response& head)> began = {};  // any status; the body is empty
  std::function<void(std::string piece)> piece = {};
  std::function<void(Result<void>)> ended =
      {};  // the last; in place of `began` when there is no answer
  std::chrono::milliseconds quiet_time{90'000};
};

// One request under way. Destroying it takes the request back: nothing is called any more, and what
// has reached the server may still happen there.
class Call {
 public:
  struct State;

  Call() = default;
  explicit Call(std::shared_ptr<State> state) : state_(std::move(state)) {}
  Call(Call&& other) noexcept = default;
  Call& operator=(Call&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Call();

  // The request goes on without an owner, for as long as its client lives.
  void Detach() { state_.reset(); }

 private:
  std::shared_ptr<State> state_;
};

class Client {
 public:
  using Done = std::function<void(Result<Response>)>;

  static Result<std::unique_ptr<Client>> Make(platform::EventLoop& loop, ClientOptions options);
  // Calls nothing back.
  ~Client();

  [[nodiscard]] Call Send(ClientRequest request, Done done);

  // On a connection of its own.
  [[nodiscard]] Call Stream(ClientRequest request, StreamEvents events);

  // For connections made from now on; on failure the former stays.
  Result<void> UseTls(const ClientTls& tls);

  size_t connections() const;  // kept or in use; without those of streams

 private:
  struct Impl;
  explicit Client(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace warpshare::http
