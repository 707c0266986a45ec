// An authority for tests, and what it has signed.
#pragma once

#include <string>

#include "platform/http/certificate.h"

namespace warpshare::http {

inline Validity Today() {
  const auto now = std::chrono::system_clock::now();
  return {now - std::chrono::hours(1), now + std::chrono::hours(24)};
}

struct TestAuthority {
  explicit TestAuthority(const std::string& name = "test authority")
      : identity(MakeAuthority(name, Today()).value()) {}

  Identity For(const std::string& name, Validity validity = Today()) const {
    return IssueCertificate(identity, {name}, validity).value();
  }

  Identity identity;
};

}  // namespace warpshare::http
