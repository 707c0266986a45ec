// Keeps the webhook believed, for years and without anybody's help: certificates in a Secret, made
// anew in time, their authority in the MutatingWebhookConfiguration, and the server told of each
// new one. Every replica has a keeper of its own; the Secret's version decides whose renewal
// counts, and all of them serve what stands there.
//
// On the client's loop. Both objects must be there (deploy/ brings them); while one is not, the
// server goes on with what it has, and the log says what is missing.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "platform/certificate/kept_certificates.h"
#include "platform/kube/informer.h"
#include "platform/log_file/log_file.h"

namespace warpshare::webhook {

struct KeeperOptions {
  kube::ObjectName secret;
  std::string configuration;  // the MutatingWebhookConfiguration; all its webhooks are ours
  certificate::Wanted wanted;
  std::chrono::seconds look_again{60};  // for what is due, and after failures
};

class CertificateKeeper {
 public:
  using WallClock = std::function<http::WallTime()>;
  // To be served from now on; called once for each, and again where it failed.
  using Serve = std::function<Result<void>(const http::Identity&)>;

  CertificateKeeper(kube::Client& client, KeeperOptions options, WallClock now, Serve serve,
                    platform::Log& log);

  void Start();
  // Clients have what they need to believe the server.
  bool is_bundle_out() const;
  // When the certificate that was served last ends; none: none was yet.
  std::optional<http::WallTime> served_until() const { return served_until_; }

 private:
  void TakeSecret(json::View secret);
  void TakeConfiguration(json::View configuration);
  void Look();
  void LookLater();
  void ServeWhatIsKept();
  void Answered(const Result<json::Document>& answer, void (CertificateKeeper::*take)(json::View));
  void WriteSecret(const certificate::KeptCertificates& renewed);
  void WriteBundle();
  void Complain(const std::string& what, const Error& error);

  kube::Client& client_;
  const KeeperOptions options_;
  const WallClock now_;
  const Serve serve_;
  platform::Log& log_;

  bool secret_is_there_ = false;
  std::string secret_version_;
  std::optional<certificate::KeptCertificates> kept_;
  std::map<std::string, std::string> bundles_;  // by webhook, in base64 as they stand there
  std::string served_;                          // the certificate that was given to serve_
  std::optional<http::WallTime> served_until_;

  // A write is under way; looks meanwhile are made up for when it is answered.
  bool is_writing_ = false;
  bool missed_a_look_ = false;
  http::Call write_;
  platform::Timer timer_;
  kube::Informer secret_watch_;
  kube::Informer configuration_watch_;
};

}  // namespace warpshare::webhook
