#include "platform/kube/exec_plugin.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "platform/json/json.h"

namespace warpshare::kube {
namespace {

constexpr std::string_view kVersion = "client.authentication.k8s.io/v1";

// A kubeconfig whose user is proven by a shell script beside it.
class ExecPluginTest : public testing::Test {
 protected:
  ExecPluginTest() { std::filesystem::create_directories(folder_); }
  ~ExecPluginTest() override { std::filesystem::remove_all(folder_); }

  std::string Kubeconfig(const std::string& script, const std::string& more = "") const {
    const std::string program = folder_ + "/prove";
    std::ofstream(program) << "#!/bin/sh\n" << script << '\n';
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return Write("command: ./prove" + more);
  }
  std::string Write(const std::string& exec) const {
    const std::string path = folder_ + "/config";
    std::ofstream(path) << "current-context: here\n"
                           "contexts: [{name: here, context: {cluster: lab, user: me}}]\n"
                           "clusters: [{name: lab, cluster: {server: '"
                        << server_
                        << "', "
                           "certificate-authority-data: YXV0aG9yaXR5}}]\n"
                           "users: [{name: me, user: {exec: {apiVersion: "
                        << kVersion << ", " << exec << "}}}]\n";
    return path;
  }
  static std::string Printing(const std::string& status) {
    return R"(echo '{"apiVersion":")" + std::string(kVersion) +
           R"(","kind":"ExecCredential","status":)" + status + "}'";
  }
  std::string ErrorOf(const std::string& path) const {
    const auto config = FindConfig(path, "");
    return config ? "taken" : config.error().message;
  }

  // What a program that wants to know of its cluster is told.
  json::Document Told() const {
    const std::string told = folder_ + "/told";
    const std::string script =
        "printf %s \"$KUBERNETES_EXEC_INFO\" > " + told + "\n" + Printing(R"({"token":"t"})");
    EXPECT_TRUE(FindConfig(Kubeconfig(script, ", provideClusterInfo: true"), ""));
    std::ifstream file(told);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return json::Document::Parse(text).value();
  }

  std::string server_ = "https://lab:6443";
  std::string folder_ = testing::TempDir() + "exec_plugin_" + std::to_string(getpid());
};

TEST_F(ExecPluginTest, GivesAToken) {
  const auto config = FindConfig(Kubeconfig(Printing(R"({"token":"for-now"})")), "");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->token, "for-now");
  EXPECT_FALSE(config->exec);
}

TEST_F(ExecPluginTest, GivesACertificate) {
  const auto config = FindConfig(
      Kubeconfig(Printing(R"({"clientCertificateData":"cert","clientKeyData":"key"})")), "");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->identity.certificates, "cert");
  EXPECT_EQ(config->identity.key, "key");
}

TEST_F(ExecPluginTest, HasItsArgumentsAndEnvironment) {
  const auto config =
      FindConfig(Kubeconfig(Printing(R"({"token":"'"$1-$2-$WHO"'"})"),
                            ", args: [token, two words], env: [{name: WHO, value: me}]"),
                 "");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->token, "token-two words-me");
}

TEST_F(ExecPluginTest, IsToldOfTheClusterWhenItWantsTo) {
  const json::Document info = Told();
  EXPECT_EQ(info.root()["kind"].StringOr(""), "ExecCredential");
  EXPECT_EQ(info.root()["apiVersion"].StringOr(""), kVersion);
  const json::View cluster = info.root()["spec"]["cluster"];
  EXPECT_EQ(cluster["server"].StringOr(""), "https://lab:6443");
  EXPECT_EQ(cluster["certificate-authority-data"].StringOr(""), "YXV0aG9yaXR5");
}

TEST_F(ExecPluginTest, IsToldOfTheServersPath) {
  server_ = "https://lab:6443/k8s/clusters/c-1";
  EXPECT_EQ(Told().root()["spec"]["cluster"]["server"].StringOr(""), server_);
}

TEST_F(ExecPluginTest, SaysWhyItProvesNobody) {
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(ErrorOf(Write("command: no-such-program-here, installHint: get it there")),
      "no-such-program-here: is not in PATH: get it there");
  has(ErrorOf(Write("command: ./gone")), "gone: cannot be started");
  has(ErrorOf(Kubeconfig("exit 3")), "ended with code 3");
  has(ErrorOf(Kubeconfig("echo hello")), "printed no ExecCredential");
  has(ErrorOf(Kubeconfig("echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"v0\"}'")),
      "printed no ExecCredential of client.authentication.k8s.io/v1");
  has(ErrorOf(Kubeconfig(Printing("{}"))), "neither a token nor a certificate");
  has(ErrorOf(Kubeconfig(Printing(R"({"clientKeyData":"key"})"))), "one of certificate and key");
  has(ErrorOf(Kubeconfig("yes")), "more than 1 MiB");
  has(ErrorOf(Write("args: [x]")), "exec: no command");
}

TEST_F(ExecPluginTest, IsRefusedToADaemonWhoseProofWouldEnd) {
  const auto config = ReadKubeconfig(Kubeconfig(Printing(R"({"token":"for-now"})")));
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().message.find("service account"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::kube
