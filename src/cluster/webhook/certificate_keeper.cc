#include "cluster/webhook/certificate_keeper.h"

#include <algorithm>
#include <utility>

#include "platform/json/writer.h"
#include "platform/log_file/log_words.h"
#include "types/base64.h"

namespace warpshare::webhook {

namespace {

using certificate::Files;
using certificate::KeptCertificates;

Files FilesOf(const json::View& secret) {
  Files files;
  for (const auto& [name, value] : secret["data"].members())
    if (auto text = FromBase64(value.StringOr(""))) files[std::string(name)] = std::move(*text);
  return files;
}

// Over exactly the version that was read.
std::string SecretPatch(const std::string& version, const KeptCertificates& kept) {
  json::Writer writer;
  writer.BeginObject().Key("metadata").BeginObject().Member("resourceVersion", version).EndObject();
  writer.Key("data").BeginObject();
  for (const auto& [name, text] : certificate::AsFiles(kept)) writer.Member(name, ToBase64(text));
  return writer.EndObject().EndObject().Take();
}

kube::InformerOptions Only(const kube::Resource& resource, const kube::ObjectName& object) {
  return {.resource = resource,
          .space = object.space,
          .selector = {.labels = "", .fields = "metadata.name=" + object.name}};
}

}  // namespace

CertificateKeeper::CertificateKeeper(kube::Client& client, KeeperOptions options, WallClock now,
                                     Serve serve, platform::Log& log)
    : client_(client),
      options_(std::move(options)),
      now_(std::move(now)),
      serve_(std::move(serve)),
      log_(log),
      timer_(client.loop()),
      secret_watch_(
          client, Only(kube::kSecrets, options_.secret),
          {.set = [this](const auto&, json::View secret) { TakeSecret(secret); },
           .removed = [this](const auto&) { secret_is_there_ = false; },
           .trouble = [this](const Error& error) { Complain("cannot be watched", error); }}),
      configuration_watch_(
          client, Only(kube::kMutatingWebhooks, {.space = "", .name = options_.configuration}),
          {.set = [this](const auto&, json::View object) { TakeConfiguration(object); },
           .removed = [this](const auto&) { bundles_.clear(); },
           .trouble = [this](const Error& error) { Complain("cannot be watched", error); }}) {}

void CertificateKeeper::Start() {
  secret_watch_.Start();
  configuration_watch_.Start();
  LookLater();
}

bool CertificateKeeper::is_bundle_out() const {
  if (!kept_ || bundles_.empty()) return false;
  const std::string bundle = ToBase64(kept_->Bundle());
  return std::all_of(bundles_.begin(), bundles_.end(),
                     [&](const auto& webhook) { return webhook.second == bundle; });
}

void CertificateKeeper::TakeSecret(json::View secret) {
  secret_is_there_ = true;
  secret_version_ = secret["metadata"]["resourceVersion"].StringOr("");
  auto kept = certificate::FromFiles(FilesOf(secret));
  if (!kept && secret["data"].size() != 0)
    Complain("holds what cannot be used and is made anew", kept.error());
  kept_ = kept ? std::optional(std::move(*kept)) : std::nullopt;
  Look();
}

void CertificateKeeper::TakeConfiguration(json::View configuration) {
  bundles_.clear();
  for (const json::View webhook : configuration["webhooks"].items())
    bundles_.emplace(webhook["name"].StringOr(""),
                     webhook["clientConfig"]["caBundle"].StringOr(""));
  Look();
}

// The Secret comes first: nothing is served and nobody is told to believe what is not kept.
void CertificateKeeper::Look() {
  missed_a_look_ = is_writing_;
  if (!secret_is_there_ || is_writing_) return;
  const auto renewed = certificate::Renew(kept_, is_bundle_out(), options_.wanted, now_());
  if (!renewed) return Complain("cannot be renewed", renewed.error());
  if (*renewed) return WriteSecret(**renewed);
  ServeWhatIsKept();
  if (!bundles_.empty() && !is_bundle_out()) WriteBundle();
}

void CertificateKeeper::ServeWhatIsKept() {
  if (served_ == kept_->serving.certificates) return;
  if (const auto served = serve_(kept_->serving); !served)
    return Complain("cannot be served", served.error());
  served_ = kept_->serving.certificates;
  if (const auto valid = http::ValidityOf(served_)) served_until_ = valid->until;
}

void CertificateKeeper::LookLater() {
  timer_.Set(options_.look_again, [this] {
    if (!secret_is_there_)
      log_.Line(platform::LogText("certificate-missing", {{"secret", options_.secret.Text()},
                                                          {"mend", "apply the manifests again"}}));
    Look();
    LookLater();
  });
}

void CertificateKeeper::WriteSecret(const KeptCertificates& renewed) {
  is_writing_ = true;
  write_ = client_.Patch({.resource = kube::kSecrets, .name = options_.secret},
                         SecretPatch(secret_version_, renewed),
                         [this](const Result<json::Document>& answer) {
                           Answered(answer, &CertificateKeeper::TakeSecret);
                         });
}

// Of a conflict the watch tells the rest: another replica was first.
void CertificateKeeper::Answered(const Result<json::Document>& answer,
                                 void (CertificateKeeper::*take)(json::View)) {
  is_writing_ = false;
  if (answer) return (this->*take)(answer->root());
  if (answer.error().code != Errc::kConflict) Complain("cannot be written", answer.error());
  if (missed_a_look_) Look();
}

void CertificateKeeper::WriteBundle() {
  json::Writer writer;
  writer.BeginObject().Key("webhooks").BeginArray();
  for (const auto& [name, bundle] : bundles_)
    writer.BeginObject()
        .Member("name", name)
        .Key("clientConfig")
        .BeginObject()
        .Member("caBundle", ToBase64(kept_->Bundle()))
        .EndObject()
        .EndObject();
  is_writing_ = true;
  write_ = client_.Patch({.resource = kube::kMutatingWebhooks,
                          .name = {.space = "", .name = options_.configuration},
                          .subresource = "",
                          .kind = kube::Client::PatchKind::kStrategicMerge},
                         writer.EndArray().EndObject().Take(),
                         [this](const Result<json::Document>& answer) {
                           Answered(answer, &CertificateKeeper::TakeConfiguration);
                         });
}

void CertificateKeeper::Complain(const std::string& what, const Error& error) {
  log_.Line(platform::LogText("certificate-trouble", {{"secret", options_.secret.Text()},
                                                      {"webhook", options_.configuration},
                                                      {"what", what},
                                                      {"error", error}}));
}

}  // namespace warpshare::webhook
