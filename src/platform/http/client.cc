#include "platform/http/client.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "platform/http/client_connection.h"

namespace warpshare::http {
namespace {

using CallPtr = ClientConnection::CallPtr;
using ConnectionPtr = std::shared_ptr<ClientConnection>;

std::string HostField(const ClientOptions& options) {
  const bool is_ipv6 = options.host.find(':') != std::string::npos;
  const std::string host = is_ipv6 ? '[' + options.host + ']' : options.host;
  const uint16_t usual_port = options.tls ? 443 : 80;
  return options.port == usual_port ? host : host + ':' + std::to_string(options.port);
}

}  // namespace

// Calls wait in line until a connection is free; as many connections are being made as there are
// calls in line, up to the limit. A connection that cannot be made takes the first call with it, so
// that calls fail as fast as connections do.
struct Client::Impl : std::enable_shared_from_this<Client::Impl> {
  Impl(platform::EventLoop& on, ClientOptions with)
      : loop(on), options(std::move(with)), host_field(HostField(options)) {}

  CallPtr NewCall(ClientRequest request) {
    request.headers.Add("Host", host_field);
    if (!request.body.empty() || request.method != "GET") {
      request.headers.Add("Content-Length", std::to_string(request.body.size()));
    }
    auto call = std::make_shared<Call::State>(loop, std::move(request));
    call->deadline.Set(call->request.time, [weak = std::weak_ptr(call)] {
      if (const auto late = weak.lock()) TooLate(*late);
    });
    return call;
  }

  static void TooLate(Call::State& call) {
    const auto carrier = call.connection.lock();
    call.Fail({Errc::kUnavailable, "no answer in time"});
    if (carrier) carrier->Close();
  }

  ConnectTo Destination() const {
    const bool by_host = !options.tls || options.tls->server_name.empty();
    return {.host = options.host,
            .port = options.port,
            .tls = context,
            .server_name = by_host ? options.host : options.tls->server_name};
  }

  void Enqueue(CallPtr call) {
    if (line.size() >= options.waiting) {
      return loop.Post([call] { call->Fail({Errc::kUnavailable, "too many requests wait"}); });
    }
    line.push_back(std::move(call));
    Advance();
  }

  void Advance() {
    while (!idle.empty()) {
      CallPtr call = TakeFirst();
      if (!call) return;
      const ConnectionPtr connection = idle.back();
      idle.pop_back();
      connection->Begin(std::move(call));
    }
    while (connecting.size() < line.size() && all.size() < options.connections) OpenOne();
  }

  // Null when nobody waits any more.
  CallPtr TakeFirst() {
    while (!line.empty()) {
      CallPtr first = std::move(line.front());
      line.pop_front();
      if (!first->ended) return first;
    }
    return nullptr;
  }

  void OpenOne() {
    const auto connection = std::make_shared<ClientConnection>(loop, options.message, PoolEvents());
    all.insert(connection);
    connecting.insert(connection.get());
    connection->Open(Destination(), options.connect_time);
  }

  ClientConnection::Events PoolEvents() {
    const auto weak = weak_from_this();
    return {.free =
                [weak](ClientConnection& one) {
                  if (auto pool = weak.lock()) pool->Free(one);
                },
            .failed =
                [weak](ClientConnection&, Error error) {
                  if (auto pool = weak.lock()) pool->FailFirst(std::move(error));
                },
            .ended =
                [weak](ClientConnection& one) {
                  if (auto pool = weak.lock()) pool->Ended(one);
                },
            .again =
                [weak](CallPtr call) {
                  if (auto pool = weak.lock()) pool->Again(std::move(call));
                }};
  }

  void Free(ClientConnection& connection) {
    connecting.erase(&connection);
    connection.CloseAfter(options.idle_time);
    idle.push_back(connection.shared_from_this());
    Advance();
  }

  void FailFirst(Error error) {
    if (const CallPtr first = TakeFirst()) first->Fail(std::move(error));
  }

  void Ended(ClientConnection& connection) {
    connecting.erase(&connection);
    std::erase_if(idle, [&](const ConnectionPtr& one) { return one.get() == &connection; });
    all.erase(connection.shared_from_this());
    Advance();
  }

  void Again(CallPtr call) {
    if (call->ended) return;
    line.push_front(std::move(call));
    Advance();
  }

  void OpenStream(const CallPtr& call) {
    const auto weak = weak_from_this();
    const auto connection = std::make_shared<ClientConnection>(
        loop, MessageLimits{options.message.header_bytes, SIZE_MAX},
        ClientConnection::Events{
            .free =
                [call](ClientConnection& one) {
                  if (!call->ended) one.Begin(call);
                },
            .failed = [call](ClientConnection&, Error error) { call->Fail(std::move(error)); },
            .ended =
                [weak](ClientConnection& one) {
                  if (auto pool = weak.lock()) pool->streams.erase(one.shared_from_this());
                },
            .again = [](const CallPtr&) {}});
    streams.emplace(connection, call);
    call->connection = connection;
    connection->Open(Destination(), options.connect_time);
  }

  void Shutdown() {
    const auto open = all;
    const auto streaming = streams;
    for (const auto& [connection, call] : streaming) call->Withdraw();
    for (const CallPtr& call : line) call->Withdraw();
    line.clear();
    options.connections = 0;
    for (const ConnectionPtr& one : open) one->Close();
  }

  platform::EventLoop& loop;
  ClientOptions options;
  const std::string host_field;
  TlsContext context;
  std::deque<CallPtr> line;
  std::set<ConnectionPtr> all;
  std::map<ConnectionPtr, CallPtr> streams;
  std::vector<ConnectionPtr> idle;  // the last one used is used first, so that the rest ages
  std::set<ClientConnection*> connecting;
};

Client::Client(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() { impl_->Shutdown(); }

Result<std::unique_ptr<Client>> Client::Make(platform::EventLoop& loop, ClientOptions options) {
  std::unique_ptr<Client> client(new Client(std::make_shared<Impl>(loop, std::move(options))));
  if (!client->impl_->options.tls) return client;
  auto used = client->UseTls(*client->impl_->options.tls);
  if (!used) return Forward(used);
  return client;
}

Call Client::Send(ClientRequest request, Done done) {
  CallPtr call = impl_->NewCall(std::move(request));
  call->done = std::move(done);
  impl_->Enqueue(call);
  return Call(std::move(call));
}

Call Client::Stream(ClientRequest request, StreamEvents events) {
  CallPtr call = impl_->NewCall(std::move(request));
  call->stream = std::move(events);
  impl_->OpenStream(call);
  return Call(std::move(call));
}

Result<void> Client::UseTls(const ClientTls& tls) {
  auto context = MakeContext(tls);
  if (!context) return Forward(context);
  impl_->options.tls = tls;
  impl_->context = std::move(*context);
  return {};
}

size_t Client::connections() const { return impl_->all.size(); }

Call::~Call() {
  if (state_) state_->Withdraw();
}

}  // namespace warpshare::http
