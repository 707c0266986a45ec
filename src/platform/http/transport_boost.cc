#include "platform/http/transport.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <variant>
#include <vector>

namespace warpshare::http {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

constexpr size_t kReadBytes = 64 * 1024;

Errc CodeOf(const error_code& error) {
  if (error.category() == asio::error::get_ssl_category()) return Errc::kPermission;
  return Errc::kUnavailable;  // the peer, or the way to it, may come back
}

bool IsEnd(const error_code& error) {
  // A peer that leaves without TLS's farewell: the message's own length says whether it is whole.
  return error == asio::error::eof || error == ssl::error::stream_truncated;
}

// One of IPv4 is the same whichever socket it came to; "" when the peer has gone already.
std::string AddressOf(const tcp::socket& socket) {
  error_code gone;
  const auto address = socket.remote_endpoint(gone).address();
  if (gone) return "";
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.to_string();
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
}

class BoostTransport final : public Transport, public std::enable_shared_from_this<BoostTransport> {
 public:
  using Plain = tcp::socket;
  using Secure = ssl::stream<tcp::socket>;

  BoostTransport(tcp::socket socket, TlsContext context, bool is_server)
      : context_(std::move(context)), is_server_(is_server), peer_(AddressOf(socket)) {
    if (context_) {
      stream_.emplace<Secure>(std::move(socket), *context_);
    } else {
      stream_.emplace<Plain>(std::move(socket));
    }
    Tune();
  }

  // The name is asked for in the handshake, and the certificate must be for it.
  Result<void> Expect(const std::string& server_name) {
    SSL* session = std::get<Secure>(stream_).native_handle();
    error_code not_an_address;
    asio::ip::make_address(server_name, not_an_address);
    if (not_an_address) SSL_set_tlsext_host_name(session, server_name.c_str());
    error_code error;
    std::get<Secure>(stream_).set_verify_callback(ssl::host_name_verification(server_name), error);
    if (error) return Fail(Errc::kInvalid, server_name + ": " + error.message());
    return {};
  }

  const std::string& peer() const override { return peer_; }

  void Handshake(WriteDone done) override {
    auto* secure = std::get_if<Secure>(&stream_);
    if (secure == nullptr) {
      asio::post(socket().get_executor(), [self = shared_from_this(), done = std::move(done)] {
        if (!self->closed_) done({});
      });
      return;
    }
    secure->async_handshake(is_server_ ? ssl::stream_base::server : ssl::stream_base::client,
                            [self = shared_from_this(), done = std::move(done)](error_code error) {
                              if (self->closed_) return;
                              done(error ? self->HandshakeFailure(error) : Result<void>());
                            });
  }

  void Read(ReadDone done) override {
    if (buffer_.empty()) buffer_.resize(kReadBytes);
    std::visit(
        [&](auto& stream) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(stream)>, std::monostate>) {
            stream.async_read_some(
                asio::buffer(buffer_),
                [self = shared_from_this(), done = std::move(done)](error_code error, size_t size) {
                  if (self->closed_) return;
                  if (error && !IsEnd(error)) return done(Fail(CodeOf(error), error.message()));
                  done(std::string_view(self->buffer_.data(), error ? 0 : size));
                });
          }
        },
        stream_);
  }

  void Write(std::string bytes, WriteDone done) override {
    writing_ = std::move(bytes);
    std::visit(
        [&](auto& stream) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(stream)>, std::monostate>) {
            asio::async_write(
                stream, asio::buffer(writing_),
                [self = shared_from_this(), done = std::move(done)](error_code error, size_t) {
                  if (self->closed_) return;
                  done(error ? Fail(CodeOf(error), error.message()) : Result<void>());
                });
          }
        },
        stream_);
  }

  void Drain(std::function<void()> peer_ended) override {
    error_code ignored;
    socket().shutdown(tcp::socket::shutdown_send, ignored);
    buffer_.resize(kReadBytes);
    DiscardMore(std::move(peer_ended));
  }

  void Close() override {
    closed_ = true;
    error_code ignored;
    socket().close(ignored);
  }

  tcp::socket& socket() {
    auto* secure = std::get_if<Secure>(&stream_);
    return secure != nullptr ? secure->next_layer() : std::get<Plain>(stream_);
  }

 private:
  // Below TLS, which has nothing more to say.
  void DiscardMore(std::function<void()> peer_ended) {
    socket().async_read_some(asio::buffer(buffer_),
                             [self = shared_from_this(), done = std::move(peer_ended)](
                                 error_code error, size_t) mutable {
                               if (self->closed_) return;
                               if (error) return done();
                               self->DiscardMore(std::move(done));
                             });
  }

  // A peer whose machine has gone is noticed within about half a minute, also while nothing is
  // sent.
  void Tune() {
    using Idle = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPIDLE>;
    using Interval = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPINTVL>;
    using Count = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPCNT>;
    error_code ignored;
    socket().set_option(tcp::no_delay(true), ignored);
    socket().set_option(asio::socket_base::keep_alive(true), ignored);
    socket().set_option(Idle(15), ignored);
    socket().set_option(Interval(5), ignored);
    socket().set_option(Count(3), ignored);
  }

  Result<void> HandshakeFailure(const error_code& error) {
    const long verdict = SSL_get_verify_result(std::get<Secure>(stream_).native_handle());
    if (verdict == X509_V_OK) return Fail(CodeOf(error), "TLS: " + error.message());
    return Fail(Errc::kPermission, std::string("the peer's certificate is not believed: ") +
                                       X509_verify_cert_error_string(verdict));
  }

  const TlsContext context_;  // outlives the session in it
  const bool is_server_;
  const std::string peer_;
  std::variant<std::monostate, Plain, Secure> stream_;
  std::vector<char> buffer_;
  std::string writing_;
  bool closed_ = false;
};

class Connecting : public std::enable_shared_from_this<Connecting> {
 public:
  Connecting(EventLoop& loop, ConnectTo to, std::function<void(Result<TransportPtr>)> done)
      : resolver_(loop.context()),
        socket_(loop.context()),
        to_(std::move(to)),
        done_(std::move(done)) {}

  ~Connecting() {
    if (transport_) transport_->Close();
  }

  void Start() {
    error_code not_an_address;
    const auto address = asio::ip::make_address(to_.host, not_an_address);
    if (!not_an_address) {
      socket_.async_connect({address, to_.port}, [self = weak_from_this()](error_code error) {
        if (auto alive = self.lock()) alive->Connected(error);
      });
      return;
    }
    resolver_.async_resolve(
        to_.host, std::to_string(to_.port),
        [self = weak_from_this()](error_code error, const tcp::resolver::results_type& found) {
          if (auto alive = self.lock()) alive->Resolved(error, found);
        });
  }

 private:
  void Resolved(error_code error, const tcp::resolver::results_type& found) {
    if (error) return Finish(Fail(Errc::kUnavailable, to_.host + ": " + error.message()));
    asio::async_connect(socket_, found,
                        [self = weak_from_this()](error_code failed, const tcp::endpoint&) {
                          if (auto alive = self.lock()) alive->Connected(failed);
                        });
  }

  void Connected(error_code error) {
    if (error) {
      return Finish(Fail(Errc::kUnavailable,
                         to_.host + ':' + std::to_string(to_.port) + ": " + error.message()));
    }
    auto transport = std::make_shared<BoostTransport>(std::move(socket_), to_.tls, false);
    if (to_.tls) {
      if (auto expected = transport->Expect(to_.server_name); !expected) {
        return Finish(Forward(expected));
      }
    }
    transport_ = transport;
    transport->Handshake([self = weak_from_this()](Result<void> shaken) {
      auto alive = self.lock();
      if (!alive) return;
      if (!shaken) return alive->Finish(Forward(shaken));
      alive->Finish(std::exchange(alive->transport_, nullptr));
    });
  }

  void Finish(Result<TransportPtr> result) {
    const auto done = std::exchange(done_, nullptr);
    done(std::move(result));
  }

  tcp::resolver resolver_;
  tcp::socket socket_;
  const ConnectTo to_;
  std::function<void(Result<TransportPtr>)> done_;
  TransportPtr transport_;
};

class BoostListener final : public Listener {
 public:
  BoostListener(EventLoop& loop, Accepted accepted)
      : acceptor_(loop.context()), pause_(loop.context()), accepted_(std::move(accepted)) {}

  ~BoostListener() override { *alive_ = false; }

  error_code Open(const tcp::endpoint& endpoint) {
    error_code error;
    if (!error) acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    // Whatever the machine's default is: "::" is every address, those of IPv4 too.
    if (!error && endpoint.address() == asio::ip::address_v6::any())
      acceptor_.set_option(asio::ip::v6_only(false), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) Accept();
    return error;
  }

  uint16_t port() const override {
    error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

  void UseTls(TlsContext context) override { context_ = std::move(context); }

 private:
  void Accept() {
    acceptor_.async_accept([this, alive = alive_](error_code error, tcp::socket socket) {
      if (!*alive) return;
      if (error) return AcceptLater();
      accepted_(std::make_shared<BoostTransport>(std::move(socket), context_, true));
      if (*alive) Accept();
    });
  }

  // Out of descriptors, say: those who wait stay in the queue meanwhile.
  void AcceptLater() {
    pause_.expires_after(std::chrono::milliseconds(50));
    pause_.async_wait([this, alive = alive_](error_code) {
      if (*alive) Accept();
    });
  }

  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  Accepted accepted_;
  TlsContext context_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

std::shared_ptr<void> Connect(EventLoop& loop, ConnectTo to,
                              std::function<void(Result<TransportPtr>)> done) {
  auto connecting = std::make_shared<Connecting>(loop, std::move(to), std::move(done));
  connecting->Start();
  return connecting;
}

Result<std::unique_ptr<Listener>> Listener::Open(EventLoop& loop, const std::string& address,
                                                 uint16_t port, Accepted accepted) {
  error_code error;
  const auto ip = asio::ip::make_address(address, error);
  auto listener = std::make_unique<BoostListener>(loop, std::move(accepted));
  if (!error) error = listener->Open({ip, port});
  if (error == asio::error::address_family_not_supported && ip == asio::ip::address_v6::any())
    error = listener->Open({asio::ip::address_v4::any(), port});  // a kernel without IPv6
  if (error) {
    return Fail(Errc::kUnavailable, "cannot listen on " + address + ':' + std::to_string(port) +
                                        ": " + error.message());
  }
  return std::unique_ptr<Listener>(std::move(listener));
}

}  // namespace warpshare::http
