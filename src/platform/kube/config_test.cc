#include "platform/kube/config.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

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
  EXPECT_EQ(config.path, "");
  ASSERT_TRUE(UseServer(config, "https://rancher.example:8443/k8s/clusters/c-1/"));
  EXPECT_EQ(config.host, "rancher.example");
  EXPECT_EQ(config.port, 8443);
  EXPECT_EQ(config.path, "/k8s/clusters/c-1");
}

TEST(Server, IsRefusedWhenItIsNoAddress) {
  Config config;
  for (const char* url : {"", "10.0.0.1:6443", "ftp://h", "https://", "https://h:0", "https://h:x",
                          "https://h:99999", "https://h/a?b", "https://h/a b", "https://h/a\r\nb",
                          "https:///a", "https://[::1", "https://h:", "https://u@h"}) {
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
  const auto config = ParseKubeconfig({{kKubeconfig, "."}});
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
    const auto config = ParseKubeconfig({{text, "."}});
    return config ? std::string("taken") : config.error().message;
  };
  EXPECT_NE(reason(Changed("current-context: here", "current-context: x")).find("\"x\""),
            std::string::npos);
  EXPECT_NE(reason(Changed("name: lab", "name: x")).find("no cluster \"lab\""), std::string::npos);
  EXPECT_NE(reason(Changed("token: secret", "auth-provider: {name: gcp}")).find("auth-provider"),
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
      {{Changed("certificate-authority-data: YXV0aG9yaXR5", "certificate-authority: missing.crt"),
        "/nonexistent"}});
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().message.find("/nonexistent/missing.crt"), std::string::npos);
}

TEST(Kubeconfig, GivesAnotherContextWhenAsked) {
  const std::string two = Changed("name: lab\n", "name: other\n");
  const auto config = ParseKubeconfig({{two, "."}}, "there");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->space, "default");
  EXPECT_EQ(config->token, "");
  EXPECT_EQ(config->source, "context there");
  const auto missing = ParseKubeconfig({{kKubeconfig, "."}}, "nowhere");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "no context \"nowhere\"; the contexts are: there, here");
}

TEST(Kubeconfig, OfSeveralFilesTheFirstThatSaysSomethingWins) {
  const auto config = ParseKubeconfig(
      {{"kind: Config\nclusters:\n- {name: lab, cluster: {server: 'https://first:1'}}\n", "."},
       {kKubeconfig, "."}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->host, "first");
  EXPECT_EQ(config->token, "secret");
}

// Takes a variable's place for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(Kubeconfig, IsFoundAsKubectlFindsIt) {
  const std::string folder = testing::TempDir() + "kubeconfig_" + std::to_string(getpid());
  std::filesystem::create_directories(folder + "/home/.kube");
  std::ofstream(folder + "/home/.kube/config") << kKubeconfig;
  std::ofstream(folder + "/named") << Changed("namespace: team", "namespace: named");
  const Variable home("HOME", folder + "/home");
  {
    const Variable named("KUBECONFIG", folder + "/gone:" + folder + "/named");
    EXPECT_EQ(FindConfig("", "")->space, "named");
    EXPECT_EQ(FindConfig(folder + "/home/.kube/config", "")->space, "team");
  }
  {
    const Variable gone("KUBECONFIG", folder + "/gone");
    EXPECT_NE(FindConfig("", "").error().message.find("KUBECONFIG=" + folder), std::string::npos);
  }
  {
    const Variable empty("KUBECONFIG", "");
    EXPECT_EQ(FindConfig("", "")->source, "context here of " + folder + "/home/.kube/config");
    const Variable nobody("HOME", folder + "/nobody");
    EXPECT_NE(FindConfig("", "").error().message.find("no kubeconfig"), std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warpshare::kube
