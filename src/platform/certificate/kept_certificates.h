// The certificates that a server of our own lives on, over years: an authority, what it has signed,
// and when which of them is made anew. Whoever keeps them (a Secret) asks again now and then.
//
// Everything is renewed at two thirds of its life. A new authority is believed (it stands in the
// bundle) before anything is signed by it, and the former one until it ends: whatever clients have
// of the bundle, old or new, they believe the server. Times are wall clock, as certificates are.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/http/certificate.h"
#include "result/result.h"

namespace warpshare::certificate {

using http::Identity;
using http::WallTime;

struct Lives {
  std::chrono::hours authority{24 * 365 * 5};
  std::chrono::hours serving{24 * 90};
  std::chrono::hours overlap{24};  // that a new authority is believed before it signs
  std::chrono::hours backdate{1};  // everything holds from this long ago: clocks differ
};

struct KeptCertificates {
  Identity authority;  // signs
  std::optional<Identity> next_authority;
  std::string former_authority;  // its certificate alone; "": none
  Identity serving;
  std::vector<std::string> names;  // of the server, as in `serving`

  // What clients are to believe.
  std::string Bundle() const;
};

struct Wanted {
  std::vector<std::string> names;
  Lives lives;
};

// What should be kept from now on; none when nothing is due. `kept` is what there is, if anything;
// `bundle_is_out` says that clients have its Bundle() by now.
Result<std::optional<KeptCertificates>> Renew(const std::optional<KeptCertificates>& kept,
                                              bool bundle_is_out, const Wanted& wanted,
                                              WallTime now);

// As the data of a Secret, where the serving certificate has the usual names, and back.
using Files = std::map<std::string, std::string, std::less<>>;
Files AsFiles(const KeptCertificates& kept);
Result<KeptCertificates> FromFiles(const Files& untrusted_files);

}  // namespace warpshare::certificate
