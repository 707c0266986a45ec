// One TCP connection, with TLS or without, as bytes in and bytes out.
//
// All calls and callbacks are on the loop's thread. At most one Read and one Write are under way.
// Close ends the connection at once, and nothing is called back after it. Whoever gives a
// connection up closes it: what is under way keeps it alive.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "platform/event_loop/event_loop.h"
#include "platform/http/tls.h"
#include "result/result.h"

namespace warpshare::http {

using platform::EventLoop;

class Transport {
 public:
  using ReadDone = std::function<void(Result<std::string_view>)>;
  using WriteDone = std::function<void(Result<void>)>;

  virtual ~Transport() = default;

  // The address of the other end, without its port.
  virtual const std::string& peer() const = 0;

  // TLS begins; without TLS `done` is called all the same.
  virtual void Handshake(WriteDone done) = 0;

  // The bytes are valid in the callback only; "" is the end of what the peer sends.
  virtual void Read(ReadDone done) = 0;

  virtual void Write(std::string bytes, WriteDone done) = 0;

  // Tells the peer that nothing more will be sent, and throws away what it still sends: closing at
  // once would take the last answer away from a peer that is in the middle of its request.
  virtual void Drain(std::function<void()> peer_ended) = 0;

  virtual void Close() = 0;
};

using TransportPtr = std::shared_ptr<Transport>;

// A null context: no TLS.
struct ConnectTo {
  std::string host;  // a name or an address
  uint16_t port;
  TlsContext tls;
  std::string server_name;  // what the certificate must be for
};

// Calls back once, with a connection that is ready for use; never from within the call. Dropping
// the result gives up.
std::shared_ptr<void> Connect(EventLoop& loop, ConnectTo to,
                              std::function<void(Result<TransportPtr>)> done);

// Takes connections until it is destroyed.
class Listener {
 public:
  // New connections take the context that is the current one when they arrive.
  using Accepted = std::function<void(TransportPtr)>;

  static Result<std::unique_ptr<Listener>> Open(EventLoop& loop, const std::string& address,
                                                uint16_t port, Accepted accepted);
  virtual ~Listener() = default;
  virtual uint16_t port() const = 0;
  virtual void UseTls(TlsContext context) = 0;
};

}  // namespace warpshare::http
