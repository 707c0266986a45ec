#include "platform/kube/client.h"

#include <cstdio>

#include "platform/descriptor/descriptor.h"
#include "platform/json/writer.h"

namespace warpshare::kube {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostSecretBytes = 1024 * 1024;
constexpr json::Limits kAnswerLimits{.bytes = 512u * 1024 * 1024, .depth = 64};
constexpr size_t kMostNoteBytes = 1024;

Errc CodeOf(unsigned status) {
  switch (status) {
    case 401:
    case 403:
      return Errc::kPermission;
    case 404:
      return Errc::kNotFound;
    case 409:
      return Errc::kConflict;
    case 410:
      return Errc::kConflict;  // with what is known by now
    case 408:
    case 429:
      return Errc::kUnavailable;
    default:
      return status >= 400 && status < 500 ? Errc::kInvalid : Errc::kUnavailable;
  }
}

std::string_view ContentType(Client::PatchKind kind) {
  switch (kind) {
    case Client::PatchKind::kMerge:
      return "application/merge-patch+json";
    case Client::PatchKind::kStrategicMerge:
      return "application/strategic-merge-patch+json";
    case Client::PatchKind::kJson:
      return "application/json-patch+json";
  }
  return "";
}

void AddParameter(std::string& target, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  target += target.find('?') == std::string::npos ? '?' : '&';
  target.append(name) += '=';
  target += http::UrlEncode(value);
}

std::string WatchTarget(const WatchRequest& request) {
  std::string target = CollectionPath(request.resource, request.space);
  AddParameter(target, "watch", "true");
  AddParameter(target, "allowWatchBookmarks", "true");
  AddParameter(target, "labelSelector", request.selector.labels);
  AddParameter(target, "fieldSelector", request.selector.fields);
  AddParameter(target, "resourceVersion", request.resource_version);
  AddParameter(target, "timeoutSeconds", std::to_string(request.time.count()));
  return target;
}

std::string BindingBody(const Binding& binding) {
  json::Writer body;
  body.BeginObject().Member("apiVersion", "v1").Member("kind", "Binding");
  body.Key("metadata").BeginObject();
  body.Member("name", binding.pod.name).Member("namespace", binding.pod.space);
  if (!binding.uid.empty()) body.Member("uid", binding.uid);
  body.Key("annotations").BeginObject();
  for (const auto& [name, value] : binding.annotations) body.Member(name, value);
  body.EndObject().EndObject();
  body.Key("target").BeginObject().Member("apiVersion", "v1").Member("kind", "Node");
  body.Member("name", binding.node).EndObject().EndObject();
  return body.Take();
}

std::string NowText() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string EventBody(const Note& note, const std::string& space, const std::string& agent) {
  const std::string now = NowText();
  json::Writer body;
  body.BeginObject().Member("apiVersion", "v1").Member("kind", "Event");
  body.Key("metadata").BeginObject().Member("generateName", note.about.name + '.');
  body.Member("namespace", space).EndObject();
  body.Key("involvedObject").BeginObject().Member("apiVersion", note.api_version);
  body.Member("kind", note.kind).Member("namespace", note.about.space);
  body.Member("name", note.about.name).Member("uid", note.uid).EndObject();
  body.Member("reason", note.reason);
  body.Member("message", std::string_view(note.message).substr(0, kMostNoteBytes));
  body.Member("type", note.is_warning ? "Warning" : "Normal").Member("count", 1);
  body.Member("firstTimestamp", now).Member("lastTimestamp", now);
  body.Key("source").BeginObject().Member("component", agent).EndObject();
  body.Member("reportingComponent", agent).EndObject();
  return body.Take();
}

}  // namespace

Result<json::Document> Judge(const std::string& what, unsigned status, const std::string& body) {
  auto document = json::Document::Parse(body, kAnswerLimits);
  if (status >= 200 && status < 300) {
    if (document || body.empty()) return document ? std::move(*document) : json::Document();
    return Fail(Errc::kCorrupt, what + ": " + document.error().message);
  }
  std::string reason(document ? (*document)["message"].StringOr("") : "");
  if (reason.empty()) reason = http::StatusText(status);
  return Fail(CodeOf(status), what + ": " + std::to_string(status) + ' ' + reason);
}

struct Client::Impl : std::enable_shared_from_this<Client::Impl> {
  Impl(platform::EventLoop& on, ClientOptions with) : loop(on), options(std::move(with)) {}

  Result<void> Open() {
    const Config& config = options.config;
    http::ClientOptions transport{
        .host = config.host, .port = config.port, .tls = {}, .connections = options.connections};
    if (config.tls) {
      auto tls = Tls();
      if (!tls) return Forward(tls);
      transport.tls = std::move(*tls);
    }
    auto made = http::Client::Make(loop, std::move(transport));
    if (!made) return Forward(made);
    client = std::move(*made);
    return ReadToken();
  }

  Result<http::ClientTls> Tls() const {
    const Config& config = options.config;
    http::ClientTls tls{.authorities = config.authorities,
                        .identity = config.identity,
                        .server_name = config.server_name};
    if (config.authorities_path.empty()) return tls;
    auto read = platform::ReadMountedFile(config.authorities_path, kMostSecretBytes);
    if (!read) return Forward(read);
    tls.authorities = std::move(*read);
    return tls;
  }

  Result<void> ReadToken() {
    read_at = Clock::now();
    is_stale = false;
    token = options.config.token;
    if (options.config.token_path.empty()) return {};
    auto read = platform::ReadMountedFile(options.config.token_path, kMostSecretBytes);
    if (!read) return Forward(read);
    token = std::move(*read);
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
    return {};
  }

  // What cannot be read now may be there again next time: the request shows whether it matters.
  void Refresh() {
    if (!is_stale && Clock::now() - read_at < options.reread_time) return;
    const std::string former = token;
    if (!ReadToken()) token = former;
    if (!options.config.tls || options.config.authorities_path.empty()) return;
    if (auto tls = Tls()) (void)client->UseTls(*tls);
  }

  http::ClientRequest Prepare(Plain request) {
    Refresh();
    http::ClientRequest prepared{.method = std::move(request.method),
                                 .target = options.config.path + request.target,
                                 .headers = {},
                                 .body = std::move(request.body),
                                 .time = options.time};
    prepared.headers.Add("User-Agent", options.agent);
    prepared.headers.Add("Accept", "application/json");
    if (!prepared.body.empty()) prepared.headers.Add("Content-Type", request.content_type);
    if (!token.empty()) prepared.headers.Add("Authorization", "Bearer " + token);
    return prepared;
  }

  // Whoever is not believed, or does not believe, looks at the files again before the next request.
  void Learn(const Result<http::Response>& answer) {
    if (answer ? answer->status == 401 : answer.error().code == Errc::kPermission) is_stale = true;
  }

  platform::EventLoop& loop;
  const ClientOptions options;
  std::unique_ptr<http::Client> client;
  std::string token;
  Clock::time_point read_at;
  bool is_stale = false;
};

Client::Client(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::Make(platform::EventLoop& loop, ClientOptions options) {
  auto impl = std::make_shared<Impl>(loop, std::move(options));
  if (auto opened = impl->Open(); !opened) return Forward(opened);
  return std::unique_ptr<Client>(new Client(std::move(impl)));
}

const Config& Client::config() const { return impl_->options.config; }
platform::EventLoop& Client::loop() { return impl_->loop; }

http::Call Client::Send(Plain request, Done done) {
  std::string what = request.method + ' ' + request.target;
  return impl_->client->Send(
      impl_->Prepare(std::move(request)), [weak = std::weak_ptr(impl_), what = std::move(what),
                                           done = std::move(done)](Result<http::Response> answer) {
        if (const auto impl = weak.lock()) impl->Learn(answer);
        if (!answer) return done(Fail(answer.error().code, what + ": " + answer.error().message));
        done(Judge(what, answer->status, answer->body));
      });
}

http::Call Client::Get(const Resource& resource, const ObjectName& name, Done done) {
  return Send({.method = "GET", .target = ObjectPath(resource, name)}, std::move(done));
}

http::Call Client::List(const ListRequest& request, Done done) {
  std::string target = CollectionPath(request.resource, request.space);
  AddParameter(target, "labelSelector", request.selector.labels);
  AddParameter(target, "fieldSelector", request.selector.fields);
  if (request.limit != 0) AddParameter(target, "limit", std::to_string(request.limit));
  AddParameter(target, "continue", request.continue_from);
  return Send({.method = "GET", .target = std::move(target)}, std::move(done));
}

http::Call Client::Create(const Resource& resource, const std::string& space, std::string object,
                          Done done) {
  return Send(
      {.method = "POST", .target = CollectionPath(resource, space), .body = std::move(object)},
      std::move(done));
}

http::Call Client::Replace(const Resource& resource, const ObjectName& name, std::string object,
                           Done done) {
  return Send({.method = "PUT", .target = ObjectPath(resource, name), .body = std::move(object)},
              std::move(done));
}

http::Call Client::Patch(const PatchOf& of, std::string patch, Done done) {
  std::string target = ObjectPath(of.resource, of.name, of.subresource);
  AddParameter(target, "fieldManager", impl_->options.agent);
  return Send({.method = "PATCH",
               .target = std::move(target),
               .content_type = std::string(ContentType(of.kind)),
               .body = std::move(patch)},
              std::move(done));
}

http::Call Client::Apply(const Resource& resource, const ObjectName& name, std::string object,
                         Done done) {
  std::string target = ObjectPath(resource, name);
  AddParameter(target, "fieldManager", impl_->options.agent);
  AddParameter(target, "force", "true");
  return Send({.method = "PATCH",
               .target = std::move(target),
               .content_type = "application/apply-patch+yaml",
               .body = std::move(object)},
              std::move(done));
}

http::Call Client::Delete(const Resource& resource, const ObjectName& name, const std::string& uid,
                          Done done) {
  json::Writer body;
  if (!uid.empty()) {
    body.BeginObject().Member("apiVersion", "v1").Member("kind", "DeleteOptions");
    body.Key("preconditions").BeginObject().Member("uid", uid).EndObject().EndObject();
  }
  return Send({.method = "DELETE", .target = ObjectPath(resource, name), .body = body.Take()},
              std::move(done));
}

http::Call Client::Bind(const Binding& binding, Done done) {
  return Send({.method = "POST",
               .target = ObjectPath(kPods, binding.pod, "binding"),
               .body = BindingBody(binding)},
              std::move(done));
}

void Client::Write(const Note& note) {
  const std::string space = note.about.space.empty() ? "default" : note.about.space;
  Create(kEvents, space, EventBody(note, space, impl_->options.agent), [](const auto&) {}).Detach();
}

http::Call Client::Watch(const WatchRequest& request, http::StreamEvents events) {
  struct Refusal {
    unsigned status = 200;
    std::string body;
  };
  const auto refusal = std::make_shared<Refusal>();
  const std::string what = "watch " + CollectionPath(request.resource, request.space);
  http::StreamEvents checked{
      .began =
          [weak = std::weak_ptr(impl_), refusal,
           began = std::move(events.began)](const http::Response& head) {
            refusal->status = head.status;
            if (const auto impl = weak.lock()) impl->Learn(head);
            if (head.status == 200 && began) began(head);
          },
      .piece =
          [refusal, piece = std::move(events.piece)](std::string text) {
            if (refusal->status == 200) return piece(std::move(text));
            if (refusal->body.size() < kMostSecretBytes) refusal->body += text;
          },
      .ended =
          [weak = std::weak_ptr(impl_), refusal, what,
           ended = std::move(events.ended)](Result<void> result) {
            if (!result) {
              if (const auto impl = weak.lock()) impl->Learn(Fail(result.error()));
              return ended(Fail(result.error().code, what + ": " + result.error().message));
            }
            if (refusal->status == 200) return ended({});
            ended(Fail(Judge(what, refusal->status, refusal->body).error()));
          },
      .quiet_time = request.quiet_time};
  return impl_->client->Stream(impl_->Prepare({.method = "GET", .target = WatchTarget(request)}),
                               std::move(checked));
}

}  // namespace warpshare::kube
