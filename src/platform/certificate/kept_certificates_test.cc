#include "platform/certificate/kept_certificates.h"

#include <gtest/gtest.h>

#include "platform/http/client.h"
#include "platform/http/server.h"

namespace warpshare::certificate {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

const Wanted kWanted{
    .names = {"localhost", "warpshare.default.svc"},
    .lives = {
        .authority = hours(900), .serving = hours(90), .overlap = hours(10), .backdate = hours(1)}};

class KeptCertificatesTest : public testing::Test {
 protected:
  // Renews at that hour; true when anything changed.
  bool RenewAt(int hour, bool bundle_is_out = true, const Wanted& wanted = kWanted) {
    auto renewed = Renew(kept_, bundle_is_out, wanted, start_ + hours(hour));
    EXPECT_TRUE(renewed) << renewed.error().message;
    if (!renewed || !*renewed) return false;
    kept_ = std::move(**renewed);
    return true;
  }

  // A whole second, as certificates have them.
  const WallTime start_ = std::chrono::floor<seconds>(std::chrono::system_clock::now());
  std::optional<KeptCertificates> kept_;
};

TEST_F(KeptCertificatesTest, AreMadeOnceAndKept) {
  EXPECT_TRUE(RenewAt(0));
  EXPECT_EQ(kept_->names, kWanted.names);
  EXPECT_EQ(kept_->Bundle(), kept_->authority.certificates);
  EXPECT_FALSE(RenewAt(0));
  EXPECT_FALSE(RenewAt(59));
}

TEST_F(KeptCertificatesTest, ServingIsRenewedAtTwoThirdsOfItsLife) {
  ASSERT_TRUE(RenewAt(0));
  const auto before = *kept_;
  EXPECT_TRUE(RenewAt(60));
  EXPECT_NE(kept_->serving.certificates, before.serving.certificates);
  EXPECT_EQ(kept_->authority.certificates, before.authority.certificates);
}

TEST_F(KeptCertificatesTest, ServingNeverOutlivesItsAuthority) {
  ASSERT_TRUE(RenewAt(0));
  ASSERT_TRUE(RenewAt(850, /*bundle_is_out=*/false));
  EXPECT_EQ(http::ValidityOf(kept_->serving.certificates)->until, start_ + hours(900));
}

TEST_F(KeptCertificatesTest, ANewAuthorityIsBelievedBeforeItSignsAndTheFormerOneAfterIt) {
  ASSERT_TRUE(RenewAt(0));
  const std::string first = kept_->authority.certificates;
  ASSERT_TRUE(RenewAt(600));
  ASSERT_TRUE(kept_->next_authority);
  const std::string second = kept_->next_authority->certificates;
  EXPECT_EQ(kept_->Bundle(), first + second);
  EXPECT_EQ(kept_->authority.certificates, first);
  EXPECT_FALSE(RenewAt(609));
  EXPECT_FALSE(RenewAt(611, /*bundle_is_out=*/false));
  EXPECT_TRUE(RenewAt(611));
  EXPECT_EQ(kept_->authority.certificates, second);
  EXPECT_EQ(kept_->Bundle(), second + first);
  EXPECT_TRUE(RenewAt(901));
  EXPECT_EQ(kept_->Bundle(), second);
}

TEST_F(KeptCertificatesTest, AreAllMadeAnewAfterALongSleep) {
  ASSERT_TRUE(RenewAt(0));
  const std::string first = kept_->authority.certificates;
  EXPECT_TRUE(RenewAt(5000, /*bundle_is_out=*/false));
  EXPECT_EQ(kept_->Bundle().find(first), std::string::npos);
  EXPECT_EQ(http::ValidityOf(kept_->serving.certificates)->until, start_ + hours(5090));
}

TEST_F(KeptCertificatesTest, FollowAClockThatWasSetBack) {
  ASSERT_TRUE(RenewAt(1000));
  EXPECT_TRUE(RenewAt(0));
  EXPECT_LT(http::ValidityOf(kept_->authority.certificates)->from, start_);
  EXPECT_LT(http::ValidityOf(kept_->serving.certificates)->from, start_);
}

TEST_F(KeptCertificatesTest, AreIssuedForOtherNamesAtOnce) {
  ASSERT_TRUE(RenewAt(0));
  Wanted other = kWanted;
  other.names = {"elsewhere"};
  EXPECT_TRUE(RenewAt(1, true, other));
  EXPECT_EQ(kept_->names, other.names);
  EXPECT_FALSE(RenewAt(1, true, other));
}

TEST_F(KeptCertificatesTest, AreTheSameAfterAStayInASecret) {
  ASSERT_TRUE(RenewAt(0));
  ASSERT_TRUE(RenewAt(600));
  const auto back = FromFiles(AsFiles(*kept_));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(AsFiles(*back), AsFiles(*kept_));
  const auto renewed = Renew(*back, true, kWanted, start_ + hours(601));
  EXPECT_FALSE(renewed->has_value());
}

TEST_F(KeptCertificatesTest, RefuseFilesThatDoNotBelongTogether) {
  EXPECT_FALSE(FromFiles({}));
  ASSERT_TRUE(RenewAt(0));
  for (const char* file : {"tls.key", "tls.crt", "authority.crt", "authority.key"}) {
    Files files = AsFiles(*kept_);
    files[file] = "nothing";
    EXPECT_FALSE(FromFiles(files)) << file;
  }
}

// What all this is for: a client that has any of the bundles believes the server, which is never
// started anew.
class RotatingServerTest : public KeptCertificatesTest {
 protected:
  http::ServerTls Serving() const { return {.identity = kept_->serving, .client_authorities = ""}; }

  bool IsBelieved(const std::string& bundle) {
    const auto client = http::Client::Make(
        loop_, {.host = "127.0.0.1",
                .port = server_->port(),
                .tls = http::ClientTls{
                    .authorities = bundle, .identity = {}, .server_name = "localhost"}});
    std::optional<bool> answered;
    const http::Call call = (*client)->Send(
        {.target = "/", .headers = {}, .body = {}},
        [&](const Result<http::Response>& answer) { answered = answer.has_value(); });
    EXPECT_TRUE(loop_.RunUntil([&] { return answered.has_value(); }, seconds(20)));
    return answered.value_or(false);
  }

  platform::EventLoop loop_;
  std::unique_ptr<http::Server> server_;
};

TEST_F(RotatingServerTest, IsBelievedByClientsOfTheBundleBeforeAndOfTheBundleAfter) {
  // Long ago enough that the switch is due now, and all certificates hold now.
  ASSERT_TRUE(RenewAt(-650));
  server_ = http::Server::Listen(loop_, {.tls = Serving(), .limits = {}},
                                 [](const http::Request&, const http::Responder& responder) {
                                   responder.Respond(http::Response::Text("here"));
                                 })
                .value();
  ASSERT_TRUE(RenewAt(-20, /*bundle_is_out=*/true));
  const std::string before = kept_->Bundle();
  ASSERT_TRUE(server_->UseTls(Serving()));
  EXPECT_TRUE(IsBelieved(before));
  ASSERT_TRUE(RenewAt(0, /*bundle_is_out=*/true));
  const std::string after = kept_->Bundle();
  ASSERT_NE(before, after);
  ASSERT_TRUE(server_->UseTls(Serving()));
  EXPECT_TRUE(IsBelieved(before));
  EXPECT_TRUE(IsBelieved(after));
  EXPECT_FALSE(
      IsBelieved(http::MakeAuthority("stranger", {start_, start_ + hours(1)})->certificates));
}

}  // namespace
}  // namespace warpshare::certificate
