#include "cluster/webhook/certificate_keeper.h"

#include <gtest/gtest.h>

#include <vector>

#include "cluster/webhook/testing/cluster_objects.h"
#include "cluster/webhook/testing/kept_log.h"

namespace warpshare::webhook {
namespace {

using std::chrono::hours;

// One replica's keeper, and what it was told to serve.
struct Replica {
  Replica(kube::Client& client, http::WallTime& now)
      : keeper(
            client, TestKeeper(), [&now] { return now; },
            [this](const http::Identity& identity) -> Result<void> {
              if (refuses) return Fail(Errc::kUnavailable, "busy");
              served.push_back(identity.certificates);
              return {};
            },
            log) {
    keeper.Start();
  }

  bool refuses = false;
  std::vector<std::string> served;
  KeptLog log;
  CertificateKeeper keeper;
};

class CertificateKeeperTest : public WebhookClusterTest {
 protected:
  // As if time had passed and the keeper looked again: any change of the Secret makes it look.
  void Pass(int hours_passed) {
    now_ += hours(hours_passed);
    server_.Merge(kube::kSecrets, kSecret,
                  R"({"metadata": {"labels": {"turn": ")" + std::to_string(++turn_) + "\"}}}");
  }

  http::WallTime now_ = std::chrono::system_clock::now();
  int turn_ = 0;
};

TEST_F(CertificateKeeperTest, MakesKeepsServesAndTells) {
  CreateSecret();
  CreateConfiguration();
  Replica replica(*client_, now_);
  ASSERT_TRUE(Until([&] { return replica.keeper.is_bundle_out(); }));
  ASSERT_EQ(replica.served.size(), 1u);
  EXPECT_EQ(replica.served[0], InSecret("tls.crt"));
  EXPECT_EQ(Bundle(), InSecret("ca.crt"));
}

TEST_F(CertificateKeeperTest, ServesWhatAnotherReplicaMade) {
  CreateSecret();
  CreateConfiguration();
  Replica one(*client_, now_), two(*client_, now_);
  ASSERT_TRUE(Until([&] {
    return one.keeper.is_bundle_out() && two.keeper.is_bundle_out() && !one.served.empty() &&
           !two.served.empty();
  }));
  EXPECT_EQ(one.served, two.served);
  EXPECT_EQ(one.served.size(), 1u);
  EXPECT_EQ(one.log.text + two.log.text, "");
}

TEST_F(CertificateKeeperTest, LeavesWhatIsKeptAsItIsAfterANewStart) {
  CreateSecret();
  CreateConfiguration();
  std::string served;
  {
    Replica replica(*client_, now_);
    ASSERT_TRUE(Until([&] { return replica.keeper.is_bundle_out(); }));
    served = replica.served[0];
  }
  const size_t patches = server_.Asked("PATCH /api/v1/secrets");
  Replica replica(*client_, now_);
  ASSERT_TRUE(Until([&] { return replica.keeper.is_bundle_out(); }));
  EXPECT_EQ(replica.served, std::vector<std::string>{served});
  EXPECT_EQ(server_.Asked("PATCH /api/v1/secrets"), patches);
}

TEST_F(CertificateKeeperTest, RenewsInTimeAndKeepsTheFormerAuthorityBelieved) {
  CreateSecret();
  CreateConfiguration();
  Replica replica(*client_, now_);
  ASSERT_TRUE(Until([&] { return replica.keeper.is_bundle_out(); }));
  const std::string first = InSecret("authority.crt");
  const auto end = replica.keeper.served_until();
  ASSERT_TRUE(end);
  EXPECT_GT(*end, now_);
  Pass(61);
  ASSERT_TRUE(Until([&] { return replica.served.size() == 2; }));
  EXPECT_GT(*replica.keeper.served_until(), *end + hours(60));
  EXPECT_EQ(Bundle(), first);
  Pass(540);
  ASSERT_TRUE(Until([&] { return !InSecret("next-authority.crt").empty() && Bundle() != first; }));
  const std::string second = InSecret("next-authority.crt");
  EXPECT_EQ(Bundle(), first + second);
  Pass(11);
  ASSERT_TRUE(
      Until([&] { return InSecret("authority.crt") == second && Bundle() == second + first; }));
}

TEST_F(CertificateKeeperTest, TellsAgainWhenTheConfigurationWasAppliedAnew) {
  CreateSecret();
  CreateConfiguration();
  Replica replica(*client_, now_);
  ASSERT_TRUE(Until([&] { return !Bundle().empty(); }));
  server_.Delete(kube::kMutatingWebhooks, kConfiguration);
  CreateConfiguration();
  EXPECT_TRUE(Until([&] { return Bundle() == InSecret("ca.crt"); }));
}

TEST_F(CertificateKeeperTest, MakesAllAnewWhereTheSecretHoldsNonsense) {
  CreateSecret();
  CreateConfiguration();
  server_.Merge(kube::kSecrets, kSecret, R"({"data": {"tls.crt": "!", "authority.crt": "QUJD"}})");
  Replica replica(*client_, now_);
  ASSERT_TRUE(Until([&] { return replica.keeper.is_bundle_out(); }));
  EXPECT_EQ(Bundle(), InSecret("ca.crt"));
  EXPECT_TRUE(replica.log.Says("holds what cannot be used"));
}

TEST_F(CertificateKeeperTest, ServesOnlyWhatIsKept) {
  CreateConfiguration();
  Replica replica(*client_, now_);
  ASSERT_TRUE(
      Until([&] { return server_.Asked("GET /api/v1/secrets") > 0 && server_.watches() == 2; }));
  EXPECT_TRUE(replica.served.empty());
  EXPECT_EQ(Bundle(), "");
  CreateSecret();
  EXPECT_TRUE(Until([&] { return replica.keeper.is_bundle_out(); }));
}

TEST_F(CertificateKeeperTest, TriesAgainToServe) {
  CreateSecret();
  CreateConfiguration();
  Replica replica(*client_, now_);
  replica.refuses = true;
  ASSERT_TRUE(Until([&] { return replica.log.Says("cannot be served"); }));
  replica.refuses = false;
  Pass(0);
  EXPECT_TRUE(Until([&] { return replica.served.size() == 1; }));
}

}  // namespace
}  // namespace warpshare::webhook
