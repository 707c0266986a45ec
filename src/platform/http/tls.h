// What a TLS end proves and believes, and the contexts made of it. Certificates and keys are PEM
// text: who reads them from where, and when anew, is decided above.
#pragma once

#include <memory>
#include <string>

#include "result/result.h"

namespace boost::asio::ssl {
class context;  // NOLINT(readability-identifier-naming): Boost's own
}

namespace warpshare::http {

struct Identity {
  std::string certificates = {};  // our own first, then those that lead to the authority
  std::string key = {};
};

struct ServerTls {
  Identity identity = {};
  std::string client_authorities =
      {};  // not empty: clients must show a certificate of one of these
};

struct ClientTls {
  std::string authorities = {};  // "": those of the system
  Identity identity = {};        // both empty: none is shown
  std::string server_name = {};  // "": the host that is connected to
};

// A connection keeps the context it began with, so a new one serves new connections only.
using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

Result<TlsContext> MakeContext(const ServerTls& settings);
Result<TlsContext> MakeContext(const ClientTls& settings);

}  // namespace warpshare::http
