// One connection of a client: carries one request after another.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "platform/http/client.h"
#include "platform/http/transport.h"

namespace warpshare::http {

class ClientConnection;

// What is known of one request from Send to its end.
struct Call::State {
  State(platform::EventLoop& loop, ClientRequest what) : request(std::move(what)), deadline(loop) {}

  const ClientRequest request;
  platform::Timer deadline;
  Client::Done done;                   // of an ordinary request,
  std::optional<StreamEvents> stream;  // or else
  bool was_retried = false;
  bool ended = false;  // done or taken back: nothing is called any more
  std::weak_ptr<ClientConnection> connection;

  void Finish(Result<Response> result);
  void EndStream(Result<void> result);
  void Fail(Error error);
  void Withdraw();
};

class ClientConnection : public std::enable_shared_from_this<ClientConnection> {
 public:
  using CallPtr = std::shared_ptr<Call::State>;

  struct Events {
    std::function<void(ClientConnection&)> free;           // connected, or done with a request
    std::function<void(ClientConnection&, Error)> failed;  // to connect; ended comes next
    std::function<void(ClientConnection&)> ended;          // the last
    std::function<void(CallPtr)> again;                    // to be sent on another connection
  };

  ClientConnection(platform::EventLoop& loop, MessageLimits limits, Events events);

  void Open(ConnectTo to, std::chrono::milliseconds connect_time);
  void Begin(CallPtr call);
  void Close();

  // Frees itself after this time without a request.
  void CloseAfter(std::chrono::milliseconds idle_time);

 private:
  void Connected(Result<TransportPtr> transport);
  void ReadMore();
  void TakeIn(Result<std::string_view> bytes);
  void Act(Progress progress);
  void PassOn();
  void Complete();
  void Fail(Error error);

  platform::EventLoop& loop_;
  Events events_;
  ResponseReader reader_;
  platform::Timer deadline_;
  std::shared_ptr<void> connecting_;
  TransportPtr transport_;
  CallPtr call_;
  bool began_ = false;    // the head of a stream was told
  bool writing_ = false;  // the request is still on its way
  bool was_used_ = false;
  bool is_open_ = true;
};

}  // namespace warpshare::http
