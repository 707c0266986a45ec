// Keeps its owner told of all objects of one resource: a list first, then every change, for as long
// as it lives. What is missed while the API server is away is told when it is back.
//
// Events come on the loop's thread, never from within Start. An object is known by its name; one
// that was deleted and made again is `removed` and then `set`, but for what happens between two
// lists, where its uid may change in a `set`.
// Memory: the names of the objects, nothing of the objects themselves.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "platform/event_loop/event_loop.h"
#include "platform/kube/client.h"

namespace warpshare::kube {

struct InformerOptions {
  Resource resource = {};
  std::string space = {};  // "": all
  Selector selector = {};
  unsigned page = 500;
  std::chrono::seconds watch_time{300};
  std::chrono::milliseconds quiet_time{90'000};
  // After a failure; doubled with each one up to the longest, each between half and all of it.
  std::chrono::milliseconds shortest_pause{100};
  std::chrono::milliseconds longest_pause{10'000};
};

struct InformerEvents {
  std::function<void(const ObjectName&, json::View object)> set;  // new, or changed
  std::function<void(const ObjectName&)> removed;
  std::function<void()> synced = [] {};  // after each whole list: all that was there has been told
  std::function<void(const Error&)> trouble = [](const Error&) {};  // it goes on by itself
};

class Informer {
 public:
  Informer(Client& client, InformerOptions options, InformerEvents events);
  ~Informer();

  void Start();
  bool is_synced() const;  // a list has been told since Start, though it may be old by now
  size_t size() const;     // objects
  std::string_view resource_version() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace warpshare::kube
