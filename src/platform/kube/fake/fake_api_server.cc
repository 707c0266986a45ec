#include "platform/kube/fake/fake_api_server.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <optional>
#include <set>
#include <vector>

#include "platform/kube/fake/fake_store.h"

namespace warpshare::kube {
namespace {

namespace bj = boost::json;
using http::QueryParameter;
using http::Response;

// "/api/v1/namespaces/d/pods/p/binding" taken apart.
struct Place {
  std::string collection;  // "/api/v1/pods"
  std::string space, name, subresource;
  std::string key() const { return space + '/' + name; }
};

std::optional<Place> PlaceOf(std::string_view path) {
  std::vector<std::string> parts;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    parts.emplace_back(path.substr(0, path.find('/')));
    path.remove_prefix(parts.back().size());
  }
  const size_t prefix = !parts.empty() && parts[0] == "apis" ? 3 : 2;
  if (parts.size() <= prefix) return std::nullopt;
  Place place;
  for (size_t i = 0; i < prefix; ++i) place.collection += '/' + parts[i];
  size_t next = prefix;
  if (parts[next] == "namespaces" && parts.size() > next + 2) {
    place.space = parts[next + 1];
    next += 2;
  }
  place.collection += '/' + parts[next++];
  if (next < parts.size()) place.name = parts[next++];
  if (next < parts.size()) place.subresource = parts[next++];
  return place;
}

Response Status(unsigned status, const std::string& message) {
  return Response::Json(
      bj::serialize(bj::object{{"kind", "Status"}, {"code", status}, {"message", message}}),
      status);
}

Response Object(const bj::object& object, unsigned status = 200) {
  return Response::Json(bj::serialize(object), status);
}

uint64_t Number(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string Text(const bj::object& object, std::initializer_list<const char*> path) {
  const bj::object* here = &object;
  const bj::value* found = nullptr;
  for (const char* step : path) {
    found = here == nullptr ? nullptr : here->if_contains(step);
    if (found == nullptr) return "";
    here = found->if_object();
  }
  return found->is_string() ? std::string(found->get_string()) : "";
}

std::string EventLine(const std::string& type, const bj::object& object) {
  return bj::serialize(bj::object{{"type", type}, {"object", object}}) + '\n';
}

struct Watcher {
  Place place;
  std::string fields, labels;
  http::ResponseStream stream;

  bool Wants(const FakeChange& change) const {
    return change.collection == place.collection &&
           (place.space.empty() || place.space == change.space) &&
           FieldsMatch(change.object, fields) && LabelsMatch(change.object, labels);
  }
};

}  // namespace

struct FakeApiServer::Impl {
  explicit Impl(platform::EventLoop& on) : loop(on) { Listen(0); }

  void Listen(uint16_t at) {
    http::ServerLimits limits{.connections = 1024};
    limits.answer_time = std::chrono::minutes(10);
    auto listening = http::Server::Listen(loop, {.port = at, .tls = {}, .limits = limits},
                                          [this](http::Request request, http::Responder responder) {
                                            Handle(std::move(request), std::move(responder));
                                          });
    server = std::move(listening.value());
    port = server->port();
  }

  void Handle(http::Request request, http::Responder responder) {
    const auto place = PlaceOf(request.path);
    if (!place) return responder.Respond(Status(404, "no such path"));
    const std::string tail = place->subresource.empty() ? "" : '/' + place->subresource;
    const bool is_watch = QueryParameter(request.query, "watch") == "true";
    ++asked[(is_watch ? "WATCH" : request.method) + ' ' + place->collection + tail];
    if (hangs) return unanswered.push_back(std::move(responder));
    if (failures > 0) {
      --failures;
      return responder.Respond(Status(failure_status, "told to fail"));
    }
    if (forbidden.contains(place->collection)) return responder.Respond(Status(403, "forbidden"));
    if (is_watch) return Watch(*place, request, responder);
    responder.Respond(Answer(*place, request));
    TellWatchers();
  }

  Response Answer(const Place& place, const http::Request& request) {
    if (request.method == "GET") return place.name.empty() ? List(place, request) : Get(place);
    if (request.method == "DELETE") return Delete(place, request);
    bj::error_code error;
    const bj::value body = bj::parse(request.body, error);
    if (error || !body.is_object()) return Status(400, "the body is not an object");
    if (request.method == "POST" && place.subresource == "binding") {
      return Bind(place, body.get_object());
    }
    if (request.method == "POST") return Create(place, body.get_object());
    if (request.method == "PUT") return Replace(place, body.get_object());
    if (request.method == "PATCH") {
      return Patch(place, body.get_object(), request.headers.Find("Content-Type"));
    }
    return Status(405, request.method);
  }

  Response Get(const Place& place) {
    const bj::object* found = store.Find(place.collection, place.key());
    return found != nullptr ? Object(*found) : Status(404, place.name + " not found");
  }

  // A page continues behind a key, at the version of its first page.
  Response List(const Place& place, const http::Request& request) {
    const std::string after = QueryParameter(request.query, "continue");
    const uint64_t limit = Number(QueryParameter(request.query, "limit"));
    const uint64_t at = after.empty() ? store.version() : Number(after);
    if (!after.empty() && !store.Since(at)) return Status(410, "the continue token is too old");
    const std::string behind = after.substr(std::min(after.size(), after.find(':') + 1));
    bj::array items;
    std::string next;
    for (const auto& [key, object] : store.In(place.collection)) {
      const bool here = (place.space.empty() || SpaceOf(object) == place.space) &&
                        (after.empty() || key > behind) &&
                        FieldsMatch(object, QueryParameter(request.query, "fieldSelector")) &&
                        LabelsMatch(object, QueryParameter(request.query, "labelSelector"));
      if (!here) continue;
      if (limit != 0 && items.size() == limit) {
        next = std::to_string(at) + ':' + KeyOf(items.back().get_object());
        break;
      }
      items.push_back(object);
    }
    bj::object metadata{{"resourceVersion", std::to_string(at)}};
    if (!next.empty()) metadata["continue"] = next;
    return Object({{"kind", "List"}, {"metadata", metadata}, {"items", std::move(items)}});
  }

  Response Create(const Place& place, bj::object object) {
    if (NameOf(object).empty()) {
      const std::string prefix = Text(object, {"metadata", "generateName"});
      if (prefix.empty()) return Status(422, "metadata.name is missing");
      object["metadata"].get_object()["name"] = prefix + std::to_string(store.version());
    }
    if (store.Find(place.collection, place.space + '/' + NameOf(object)) != nullptr) {
      return Status(409, NameOf(object) + " already exists");
    }
    return Object(store.Add(place.collection, place.space, std::move(object)), 201);
  }

  Response Replace(const Place& place, bj::object object) {
    bj::object* found = store.Find(place.collection, place.key());
    if (found == nullptr) return Status(404, place.name + " not found");
    const std::string version = Text(object, {"metadata", "resourceVersion"});
    if (!version.empty() && version != Text(*found, {"metadata", "resourceVersion"})) {
      return Status(409, "the object has been modified");
    }
    object["metadata"].get_object()["uid"] = Text(*found, {"metadata", "uid"});
    *found = std::move(object);
    store.Changed(place.collection, *found);
    return Object(*found);
  }

  Response Patch(const Place& place, const bj::object& patch, std::string_view type) {
    bj::object* found = store.Find(place.collection, place.key());
    if (found == nullptr) {
      if (type != "application/apply-patch+yaml") return Status(404, place.name + " not found");
      return Create(place, patch);
    }
    const std::string version = Text(patch, {"metadata", "resourceVersion"});
    if (!version.empty() && version != Text(*found, {"metadata", "resourceVersion"})) {
      return Status(409, "the object has been modified");
    }
    kube::Merge(*found, patch);
    store.Changed(place.collection, *found);
    return Object(*found);
  }

  Response Delete(const Place& place, const http::Request& request) {
    const bj::object* found = store.Find(place.collection, place.key());
    if (found == nullptr) return Status(404, place.name + " not found");
    if (!request.body.empty()) {
      bj::error_code error;
      const bj::value options = bj::parse(request.body, error);
      if (error || !options.is_object()) return Status(400, "the body is not an object");
      const std::string uid = Text(options.get_object(), {"preconditions", "uid"});
      if (!uid.empty() && uid != Text(*found, {"metadata", "uid"})) {
        return Status(409, "another uid");
      }
    }
    return Object(store.Remove(place.collection, place.key()));
  }

  Response Bind(const Place& place, const bj::object& binding) {
    bj::object* pod = store.Find(place.collection, place.key());
    if (pod == nullptr) return Status(404, place.name + " not found");
    const std::string uid = Text(binding, {"metadata", "uid"});
    if (!uid.empty() && uid != Text(*pod, {"metadata", "uid"})) return Status(409, "another uid");
    if (!Text(*pod, {"spec", "nodeName"}).empty()) {
      return Status(409, place.name + " is already assigned to a node");
    }
    bj::object change{{"spec", {{"nodeName", Text(binding, {"target", "name"})}}}};
    if (const bj::value* annotations =
            binding.at("metadata").get_object().if_contains("annotations")) {
      change["metadata"] = bj::object{{"annotations", *annotations}};
    }
    kube::Merge(*pod, change);
    store.Changed(place.collection, *pod);
    return Status(201, "");
  }

  void Watch(const Place& place, const http::Request& request, const http::Responder& responder) {
    const auto changes = store.Since(Number(QueryParameter(request.query, "resourceVersion")));
    http::Headers headers;
    headers.Add("Content-Type", "application/json");
    const uint64_t id = ++last_watcher;
    auto stream = responder.Stream(200, headers, [this, id] { watchers.erase(id); });
    if (!changes) {
      stream.Write(EventLine("ERROR", {{"code", 410}, {"message", "too old"}}));
      return stream.End();
    }
    Watcher& watcher = watchers[id] = {place, QueryParameter(request.query, "fieldSelector"),
                                       QueryParameter(request.query, "labelSelector"), stream};
    for (const FakeChange* change : *changes) Tell(watcher, *change);
  }

  static void Tell(Watcher& watcher, const FakeChange& change) {
    if (watcher.Wants(change)) watcher.stream.Write(EventLine(change.type, change.object));
  }

  void TellWatchers() {
    const auto changes = store.Since(told);
    for (auto& [id, watcher] : watchers) {
      for (const FakeChange* change : *changes) Tell(watcher, *change);
    }
    told = store.version();
  }

  void CutWatches() {
    auto cut = std::exchange(watchers, {});
    for (auto& [id, watcher] : cut) watcher.stream.End();
  }

  platform::EventLoop& loop;
  FakeStore store;
  uint64_t told = store.version();  // watchers know everything up to here
  std::map<uint64_t, Watcher> watchers;
  uint64_t last_watcher = 0;
  std::map<std::string, size_t> asked;
  std::vector<http::Responder> unanswered;
  unsigned failures = 0, failure_status = 500;
  std::set<std::string> forbidden;  // collections
  bool hangs = false;
  uint16_t port = 0;
  std::unique_ptr<http::Server> server;
};

FakeApiServer::FakeApiServer(platform::EventLoop& loop) : impl_(std::make_unique<Impl>(loop)) {}
FakeApiServer::~FakeApiServer() { impl_->server.reset(); }

Config FakeApiServer::config() const {
  Config config;
  config.host = "127.0.0.1";
  config.port = impl_->port;
  config.tls = false;
  return config;
}

void FakeApiServer::Create(const Resource& resource, const std::string& space,
                           const std::string& object) {
  impl_->store.Add(CollectionPath(resource, ""), space, bj::parse(object).get_object());
  impl_->TellWatchers();
}

std::string FakeApiServer::Get(const Resource& resource, const ObjectName& name) const {
  const auto* found = impl_->store.Find(CollectionPath(resource, ""), name.space + '/' + name.name);
  return found != nullptr ? bj::serialize(*found) : "";
}

void FakeApiServer::Merge(const Resource& resource, const ObjectName& name,
                          const std::string& patch) {
  const std::string collection = CollectionPath(resource, "");
  auto* found = impl_->store.Find(collection, name.space + '/' + name.name);
  kube::Merge(*found, bj::parse(patch).get_object());
  impl_->store.Changed(collection, *found);
  impl_->TellWatchers();
}

void FakeApiServer::Delete(const Resource& resource, const ObjectName& name) {
  impl_->store.Remove(CollectionPath(resource, ""), name.space + '/' + name.name);
  impl_->TellWatchers();
}

size_t FakeApiServer::Count(const Resource& resource) const {
  return impl_->store.In(CollectionPath(resource, "")).size();
}

void FakeApiServer::SendBookmarks() {
  const std::string version = std::to_string(impl_->store.version());
  for (auto& [id, watcher] : impl_->watchers) {
    watcher.stream.Write(EventLine("BOOKMARK", {{"metadata", {{"resourceVersion", version}}}}));
  }
}

void FakeApiServer::CutWatches() { impl_->CutWatches(); }
void FakeApiServer::ForgetHistory() { impl_->store.Forget(); }

void FakeApiServer::FailNext(unsigned requests, unsigned status) {
  impl_->failures = requests;
  impl_->failure_status = status;
}

void FakeApiServer::Forbid(const Resource& resource, bool forbids) {
  const std::string collection = CollectionPath(resource, "");
  forbids ? (void)impl_->forbidden.insert(collection) : (void)impl_->forbidden.erase(collection);
}

void FakeApiServer::Hang(bool hangs) {
  impl_->hangs = hangs;
  if (!hangs) impl_->unanswered.clear();
}

void FakeApiServer::Stop() {
  impl_->server.reset();
  impl_->watchers.clear();
}

void FakeApiServer::Restart() { impl_->Listen(impl_->port); }

size_t FakeApiServer::Asked(const std::string& what) const {
  const auto found = impl_->asked.find(what);
  return found == impl_->asked.end() ? 0 : found->second;
}

size_t FakeApiServer::watches() const { return impl_->watchers.size(); }
uint64_t FakeApiServer::version() const { return impl_->store.version(); }

}  // namespace warpshare::kube
