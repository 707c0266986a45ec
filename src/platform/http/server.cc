#include "platform/http/server.h"

#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "platform/http/server_connection.h"
#include "platform/http/transport.h"

namespace warpshare::http {

struct Server::Impl {
  Impl(platform::EventLoop& loop, const ServerOptions& options, Handler handler)
      : shared{.loop = loop,
               .limits = options.limits,
               .handler = std::move(handler),
               .counts = {},
               .ended = [this](ServerConnection& one) { Ended(one); }},
        grace(loop) {}

  ~Impl() {
    listener.reset();
    stopped = nullptr;
    CloseAll();
  }

  void Accept(TransportPtr transport) {
    ++shared.counts.accepted;
    if (connections.size() >= shared.limits.connections && !MakeRoom(transport->peer())) {
      ++shared.counts.turned_away;
      transport->Close();
      return;
    }
    const auto connection = std::make_shared<ServerConnection>(shared, std::move(transport));
    connections.insert(connection);
    connection->Start();
  }

  // What goes is of who would still have as many as the newcomer, or is idle and of who has no
  // fewer: whoever has few keeps them, however many somebody else wants.
  bool MakeRoom(const std::string& newcomer) {
    std::map<std::string_view, size_t> counts;
    for (const auto& one : connections) ++counts[one->peer()];
    const size_t own = counts[newcomer];
    const auto may_go = [&](const ServerConnection& one) {
      const size_t has = counts[one.peer()];
      return has > own + 1 || (one.is_idle() && has >= own);
    };
    // Most first, then idle ones, then the oldest.
    const auto order = [&](const ServerConnection& one) {
      return std::tuple(~counts[one.peer()], !one.is_idle(), one.since());
    };
    std::shared_ptr<ServerConnection> first;
    for (const auto& one : connections)
      if (may_go(*one) && (!first || order(*one) < order(*first))) first = one;
    if (first) first->Close();
    return first != nullptr;
  }

  void Ended(ServerConnection& connection) {
    connections.erase(connection.shared_from_this());
    if (connections.empty() && stopped) Stopped();
  }

  void CloseAll() {
    const auto all = connections;
    for (const auto& one : all) one->Close();
  }

  void Stopped() {
    grace.Cancel();
    // Posted, so that the server may be destroyed by it.
    shared.loop.Post(std::exchange(stopped, nullptr));
  }

  ServerShared shared;
  std::unique_ptr<Listener> listener;
  std::set<std::shared_ptr<ServerConnection>> connections;
  platform::Timer grace;
  std::function<void()> stopped;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::Listen(platform::EventLoop& loop, ServerOptions options,
                                               Handler handler) {
  auto impl = std::make_unique<Impl>(loop, options, std::move(handler));
  auto listener = Listener::Open(
      loop, options.address, options.port,
      [server = impl.get()](TransportPtr transport) { server->Accept(std::move(transport)); });
  if (!listener) return Forward(listener);
  impl->listener = std::move(*listener);
  std::unique_ptr<Server> server(new Server(std::move(impl)));
  if (!options.tls) return server;
  if (auto used = server->UseTls(*options.tls); !used) return Forward(used);
  return server;
}

uint16_t Server::port() const { return impl_->listener ? impl_->listener->port() : 0; }
const ServerCounts& Server::counts() const { return impl_->shared.counts; }
size_t Server::connections() const { return impl_->connections.size(); }

Result<void> Server::UseTls(const ServerTls& tls) {
  auto context = MakeContext(tls);
  if (!context) return Forward(context);
  if (impl_->listener) impl_->listener->UseTls(std::move(*context));
  return {};
}

void Server::Stop(std::chrono::milliseconds grace, std::function<void()> stopped) {
  impl_->shared.stopping = true;
  impl_->listener.reset();
  impl_->stopped = std::move(stopped);
  impl_->grace.Set(grace, [impl = impl_.get()] { impl->CloseAll(); });
  const auto all = impl_->connections;
  for (const auto& one : all) one->EndSoon();
  if (impl_->connections.empty() && impl_->stopped) impl_->Stopped();
}

}  // namespace warpshare::http
