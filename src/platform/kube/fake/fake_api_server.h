// An API server for tests: real HTTP on a port of its own, objects in memory. It knows lists with
// pages, watches with bookmarks, versions and conflicts, Bindings that bring annotations, and can
// be told to fail. It checks no schema and no rights. Everything is on the loop's thread.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "platform/event_loop/event_loop.h"
#include "platform/http/server.h"
#include "platform/kube/config.h"
#include "platform/kube/resource.h"

namespace warpshare::kube {

class FakeApiServer {
 public:
  explicit FakeApiServer(platform::EventLoop& loop);
  ~FakeApiServer();

  Config config() const;  // for a Client of it

  // As a user would, past HTTP. Objects are JSON texts; "" when there is no such object.
  void Create(const Resource& resource, const std::string& space, const std::string& object);
  std::string Get(const Resource& resource, const ObjectName& name) const;
  void Merge(const Resource& resource, const ObjectName& name, const std::string& patch);
  void Delete(const Resource& resource, const ObjectName& name);
  size_t Count(const Resource& resource) const;

  // What an API server does to its clients. Bookmarks come only when asked for.
  void SendBookmarks();
  void CutWatches();
  void ForgetHistory();  // watches and pages from before get 410
  void FailNext(unsigned requests, unsigned status);
  void Hang(bool hangs);  // takes requests and does not answer
  void Stop();            // refuses connections until Restart, on the same port
  void Restart();
  void Forbid(const Resource& resource, bool forbids);  // 403 for whatever is asked of it

  // "GET /api/v1/pods", how often; the path is without names: "POST /api/v1/pods/binding".
  size_t Asked(const std::string& what) const;
  size_t watches() const;
  uint64_t version() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpshare::kube
