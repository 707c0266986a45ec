// The Kubernetes API as far as warpshare uses it, over platform/http.
//
// Threads, callbacks and Calls are as in http/client.h: all on the loop's thread, called once,
// never from within, and taken back by destroying the Call. Errors: kNotFound (404), kConflict
// (409; 410 of a list or watch, which then begins anew), kPermission (401, 403, TLS), kInvalid
// (other 4xx), kUnavailable (429, 5xx, no answer).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/event_loop/event_loop.h"
#include "platform/http/client.h"
#include "platform/json/json.h"
#include "platform/kube/config.h"
#include "platform/kube/resource.h"
#include "result/result.h"

namespace warpshare::kube {

struct ClientOptions {
  Config config = {};
  std::string agent = "warpshare";         // as the API server's logs and managedFields show it
  size_t connections = 32;                 // besides one for each watch
  std::chrono::milliseconds time{30'000};  // for one request
  std::chrono::milliseconds reread_time{60'000};  // files with tokens are read again after this
};

struct Selector {
  std::string labels = {};  // "a=b,c"
  std::string fields = {};  // "spec.nodeName=n1"
};

struct ListRequest {
  Resource resource = {};
  std::string space = {};  // "": all
  Selector selector = {};
  unsigned limit = 500;            // objects a page; 0: all at once
  std::string continue_from = {};  // metadata.continue of the page before
};

struct WatchRequest {
  Resource resource = {};
  std::string space = {};
  Selector selector = {};
  std::string resource_version = {};             // from there on
  std::chrono::seconds time{300};                // after which the server ends the watch
  std::chrono::milliseconds quiet_time{90'000};  // longer than between two bookmarks
};

// A pod goes to a node, and the annotations go to the pod with it: both happen or neither.
struct Binding {
  ObjectName pod = {};
  std::string uid = {};  // another pod of that name is not bound
  std::string node = {};
  std::vector<std::pair<std::string, std::string>> annotations = {};
};

struct Note {
  ObjectName about = {};
  std::string kind = {};         // "Pod"
  std::string api_version = {};  // "v1"
  std::string uid = {};
  bool is_warning = false;
  std::string reason = {};   // "FailedAllocation"
  std::string message = {};  // cut at 1,024 bytes, which is the most the API takes
};

class Client {
 public:
  using Done = std::function<void(Result<json::Document>)>;

  static Result<std::unique_ptr<Client>> Make(platform::EventLoop& loop, ClientOptions options);
  ~Client();

  [[nodiscard]] http::Call Get(const Resource& resource, const ObjectName& name, Done done);
  // One page; metadata.continue leads to the next.
  [[nodiscard]] http::Call List(const ListRequest& request, Done done);
  [[nodiscard]] http::Call Create(const Resource& resource, const std::string& space,
                                  std::string object, Done done);
  // With metadata.resourceVersion in the object: only if nobody changed it since.
  [[nodiscard]] http::Call Replace(const Resource& resource, const ObjectName& name,
                                   std::string object, Done done);

  enum class PatchKind { kMerge, kStrategicMerge, kJson };
  struct PatchOf {
    Resource resource = {};
    ObjectName name = {};
    std::string_view subresource = "";
    PatchKind kind = PatchKind::kMerge;
  };
  [[nodiscard]] http::Call Patch(const PatchOf& of, std::string patch, Done done);

  // Server-side apply by `agent`, which takes fields over from others.
  [[nodiscard]] http::Call Apply(const Resource& resource, const ObjectName& name,
                                 std::string object, Done done);

  // With a uid: not another object of that name.
  [[nodiscard]] http::Call Delete(const Resource& resource, const ObjectName& name,
                                  const std::string& uid, Done done);

  [[nodiscard]] http::Call Bind(const Binding& binding, Done done);

  // An Event for `kubectl describe`. Nobody waits for it: a note that cannot be written is lost.
  void Write(const Note& note);

  // Pieces of the stream of events; a status other than 200 ends it with an error.
  [[nodiscard]] http::Call Watch(const WatchRequest& request, http::StreamEvents events);

  // Any other request; the body is JSON or "".
  struct Plain {
    std::string method = {};
    std::string target = {};
    std::string content_type = "application/json";
    std::string body = "";
  };
  [[nodiscard]] http::Call Send(Plain request, Done done);

  const Config& config() const;
  platform::EventLoop& loop();

 private:
  struct Impl;
  explicit Client(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

// What the API server's answer comes to; public for those who stream.
Result<json::Document> Judge(const std::string& what, unsigned status, const std::string& body);

}  // namespace warpshare::kube
