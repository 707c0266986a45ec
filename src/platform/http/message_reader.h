// Turns the bytes of a connection into messages; knows nothing of sockets, so that bad bytes can be
// tried without one. Bytes beyond a message are kept for the next.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "platform/http/message.h"

namespace warpshare::http {

struct MessageLimits {
  size_t header_bytes;
  size_t body_bytes;
};

// Why a message cannot be taken, and what to answer to whoever sent it.
struct BadMessage {
  unsigned status;  // 400, 413 or 431
  std::string reason;
};

enum class Progress {
  kNeedMore,
  kComplete,
  kBad,  // nothing more can be read from this peer
};

class RequestReader {
 public:
  explicit RequestReader(MessageLimits limits);
  ~RequestReader();

  Progress Feed(std::string_view bytes);

  // True once after the head of a request that waits for "100 Continue" before its body.
  bool TakeExpectation();

  // After kComplete, once; then Feed("") goes on with what came after it.
  struct Taken {
    Request request;
    bool keep_alive;
  };
  Taken Take();

  bool has_begun() const;  // some bytes of a request are here
  const BadMessage& bad() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class ResponseReader {
 public:
  explicit ResponseReader(MessageLimits limits);
  ~ResponseReader();

  Progress Feed(std::string_view bytes);

  // The connection has ended: completes an answer whose end is the end of the connection.
  Progress End();

  bool head_is_here() const;
  unsigned status() const;
  Response Head() const;  // once it is here; without the body

  // What of the body is here since the last call; for bodies that have no end.
  std::string TakeBody();

  struct Taken {
    Response response;
    bool keep_alive;
  };
  Taken Take();

  bool has_begun() const;
  const BadMessage& bad() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpshare::http
