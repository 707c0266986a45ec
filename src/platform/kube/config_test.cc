#include "platform/kube/config.h"

#include <gtest/gtest.h>

namespace warpshare::kube {
namespace {

TEST(Server, IsTakenApart) {
  Config config;
  ASSERT_TRUE(UseServer(config, "https://10.0.0.1:6443"));
  EXPECT_EQ(config.host, "10.0.0.1");
  EXPECT_EQ(config.port, 6443);
  EXPECT_TRUE(config.tls);
  ASSERT_TRUE(UseServer(config, "http://[::1]:8080/"));
  EXPECT_EQ(config.host, "::1");
  EXPECT_EQ(config.port, 8080);
  EXPECT_FALSE(config.tls);
  ASSERT_TRUE(UseServer(config, "https://kubernetes.default.svc"));
  EXPECT_EQ(config.port, 443);
}

TEST(Server, IsRefusedWhenItIsNoAddress) {
  Config config;
  for (const char* url :
       {"", "10.0.0.1:6443", "ftp://h", "https://", "https://h:0", "https://h:x", "https://h:99999",
        "https://h/k8s/cluster", "https://[::1", "https://h:", "https://u@h"}) {
    EXPECT_FALSE(UseServer(config, url)) << url;
  }
}

constexpr const char* kKubeconfig = R"(
apiVersion: v1
kind: Config
current-context: here
contexts:
- name: there
  context: {cluster: other, user: other}
- name: here
  context: {cluster: lab, user: admin, namespace: team}
clusters:
- name: lab
  cluster:
    server: https://127.0.0.1:6443
    certificate-authority-data: YXV0aG9yaXR5
    tls-server-name: kubernetes
users:
- name: admin
  user:
    token: secret
    client-certificate-data: Y2VydA==
    client-key-data: a2U=
)";

TEST(Kubeconfig, GivesItsCurrentContext) {
  const auto config = ParseKubeconfig(kKubeconfig, ".");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->host, "127.0.0.1");
  EXPECT_EQ(config->authorities, "authority");
  EXPECT_EQ(config->server_name, "kubernetes");
  EXPECT_EQ(config->token, "secret");
  EXPECT_EQ(config->identity.certificates, "cert");
  EXPECT_EQ(config->identity.key, "ke");
  EXPECT_EQ(config->space, "team");
}

std::string Changed(const std::string& from, const std::string& to) {
  std::string text = kKubeconfig;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(Kubeconfig, SaysWhatIsWrongWithIt) {
  const auto reason = [](const std::string& text) {
    const auto config = ParseKubeconfig(text, ".");
    return config ? std::string("taken") : config.error().message;
  };
  EXPECT_NE(reason(Changed("current-context: here", "current-context: x")).find("\"x\""),
            std::string::npos);
  EXPECT_NE(reason(Changed("name: lab", "name: x")).find("no cluster \"lab\""), std::string::npos);
  EXPECT_NE(reason(Changed("token: secret", "exec: {command: aws}")).find("exec"),
            std::string::npos);
  EXPECT_NE(reason(Changed("YXV0aG9yaXR5", "no base64!")).find("authority-data"),
            std::string::npos);
  EXPECT_NE(reason(Changed("tls-server-name: kubernetes", "insecure-skip-tls-verify: true"))
                .find("insecure"),
            std::string::npos);
  EXPECT_NE(reason("{unclosed: [").find("not a kubeconfig"), std::string::npos);
  EXPECT_NE(reason("- a list").find("not a kubeconfig"), std::string::npos);
  EXPECT_NE(reason("").find("not a kubeconfig"), std::string::npos);
}

TEST(Kubeconfig, IsReadFromAFileBesideItsCertificates) {
  EXPECT_FALSE(ReadKubeconfig("/nonexistent/config"));
  const auto config = ParseKubeconfig(
      Changed("certificate-authority-data: YXV0aG9yaXR5", "certificate-authority: missing.crt"),
      "/nonexistent");
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().message.find("/nonexistent/missing.crt"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::kube
