#include <openssl/err.h>

#include <boost/asio/ssl/context.hpp>

#include "platform/http/tls.h"

namespace warpshare::http {
namespace {

namespace ssl = boost::asio::ssl;
using boost::asio::buffer;
using boost::system::error_code;

Failure Refused(const char* what, const error_code& error) {
  ERR_clear_error();
  return Fail(Errc::kInvalid, std::string(what) + ": " + error.message());
}

TlsContext NewContext(ssl::context::method method) {
  auto context = std::make_shared<ssl::context>(method);
  error_code ignored;
  context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                           ssl::context::no_tlsv1_1 | ssl::context::no_compression,
                       ignored);
  SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
  return context;
}

Result<void> Present(ssl::context& context, const Identity& identity) {
  error_code error;
  context.use_certificate_chain(buffer(identity.certificates), error);
  if (error) return Refused("the certificate cannot be used", error);
  context.use_private_key(buffer(identity.key), ssl::context::pem, error);
  if (error) return Refused("the key cannot be used", error);
  if (SSL_CTX_check_private_key(context.native_handle()) != 1) {
    ERR_clear_error();
    return Fail(Errc::kInvalid, "the key does not belong to the certificate");
  }
  return {};
}

Result<void> Believe(ssl::context& context, const std::string& authorities) {
  error_code error;
  context.add_certificate_authority(buffer(authorities), error);
  if (error) return Refused("the certificates of the authority cannot be used", error);
  return {};
}

}  // namespace

Result<TlsContext> MakeContext(const ServerTls& settings) {
  TlsContext context = NewContext(ssl::context::tls_server);
  if (auto presented = Present(*context, settings.identity); !presented) {
    return Forward(presented);
  }
  // Without an id of its own a context that asks for client certificates cannot resume sessions.
  constexpr unsigned char kSessions[] = "warpshare";
  SSL_CTX_set_session_id_context(context->native_handle(), kSessions, sizeof(kSessions) - 1);
  if (settings.client_authorities.empty()) return context;
  if (auto believed = Believe(*context, settings.client_authorities); !believed) {
    return Forward(believed);
  }
  error_code ignored;
  context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, ignored);
  return context;
}

Result<TlsContext> MakeContext(const ClientTls& settings) {
  TlsContext context = NewContext(ssl::context::tls_client);
  error_code error;
  context->set_verify_mode(ssl::verify_peer, error);
  if (settings.authorities.empty()) {
    context->set_default_verify_paths(error);
    if (error) return Refused("the authorities of the system cannot be used", error);
  } else if (auto believed = Believe(*context, settings.authorities); !believed) {
    return Forward(believed);
  }
  if (settings.identity.certificates.empty() && settings.identity.key.empty()) return context;
  if (auto presented = Present(*context, settings.identity); !presented) {
    return Forward(presented);
  }
  return context;
}

}  // namespace warpshare::http
