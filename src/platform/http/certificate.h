// Certificates made by ourselves: an authority of our own and what it signs, so that a webhook
// needs nobody else to be believed. Keys are P-256; everything is PEM text.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "platform/http/tls.h"
#include "result/result.h"

namespace warpshare::http {

using WallTime = std::chrono::system_clock::time_point;

struct Validity {
  WallTime from;
  WallTime until;
};

// Signs certificates of others; its own is what clients are given to believe.
Result<Identity> MakeAuthority(const std::string& name, Validity validity);

// For a server reached by these names (or addresses), or for a client: both uses are allowed.
Result<Identity> IssueCertificate(const Identity& authority, const std::vector<std::string>& names,
                                  Validity validity);

// The span of the first certificate in the text.
Result<Validity> ValidityOf(const std::string& certificates);

}  // namespace warpshare::http
