#include "platform/http/certificate.h"

#include <gtest/gtest.h>

namespace warpshare::http {
namespace {

using std::chrono::hours;
using std::chrono::system_clock;

Validity OneDayFrom(WallTime from) { return {from, from + hours(24)}; }

TEST(Certificate, SaysFromWhenToWhenItHolds) {
  const WallTime from = system_clock::from_time_t(1'900'000'000);
  const auto authority = MakeAuthority("warpshare", OneDayFrom(from));
  ASSERT_TRUE(authority);
  const auto issued =
      IssueCertificate(*authority, {"a.default.svc", "10.0.0.1", "::1"}, {from, from + hours(2)});
  ASSERT_TRUE(issued) << issued.error().message;
  const auto span = ValidityOf(issued->certificates);
  ASSERT_TRUE(span);
  EXPECT_EQ(span->from, from);
  EXPECT_EQ(span->until, from + hours(2));
}

TEST(Certificate, CanBeShownByAServer) {
  const auto authority = MakeAuthority("warpshare", OneDayFrom(system_clock::now()));
  const auto issued = IssueCertificate(*authority, {"localhost"}, OneDayFrom(system_clock::now()));
  EXPECT_TRUE(MakeContext(ServerTls{.identity = *issued, .client_authorities = ""}));
  EXPECT_TRUE(
      MakeContext(ServerTls{.identity = *issued, .client_authorities = authority->certificates}));
}

TEST(Certificate, IsRefusedWhenItsKeyIsAnothers) {
  const Validity today = OneDayFrom(system_clock::now());
  const auto authority = MakeAuthority("warpshare", today);
  const auto one = IssueCertificate(*authority, {"one"}, today);
  const auto two = IssueCertificate(*authority, {"two"}, today);
  EXPECT_FALSE(MakeContext(ServerTls{{one->certificates, two->key}, ""}));
  EXPECT_FALSE(MakeContext(ServerTls{{"no certificate", one->key}, ""}));
  EXPECT_FALSE(MakeContext(ServerTls{*one, "no certificate"}));
  EXPECT_FALSE(MakeContext(ClientTls{.authorities = "none", .identity = {}, .server_name = ""}));
}

TEST(Certificate, NeedsProperNamesAndAnAuthority) {
  const Validity today = OneDayFrom(system_clock::now());
  const auto authority = MakeAuthority("warpshare", today);
  EXPECT_FALSE(IssueCertificate(*authority, {}, today));
  EXPECT_FALSE(IssueCertificate(*authority, {"a,DNS:b"}, today));
  EXPECT_FALSE(IssueCertificate(Identity{}, {"a"}, today));
  EXPECT_FALSE(ValidityOf("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
  EXPECT_TRUE(IssueCertificate(*authority, {std::string(100, 'a') + ".svc"}, today));
}

}  // namespace
}  // namespace warpshare::http
