#include "platform/kube/informer.h"

#include <algorithm>
#include <random>
#include <unordered_map>
#include <vector>

#include "platform/kube/watch_lines.h"

namespace warpshare::kube {
namespace {

constexpr size_t kLongestEvent = 32u * 1024 * 1024;  // an object has at most some 3 MB

ObjectName NameOf(json::View object) {
  const json::View metadata = object["metadata"];
  return {.space = std::string(metadata["namespace"].StringOr("")),
          .name = std::string(metadata["name"].StringOr(""))};
}

ObjectName NameIn(const std::string& key) {
  const size_t slash = key.find('/');
  if (slash == std::string::npos) return {"", key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

}  // namespace

struct Informer::Impl : std::enable_shared_from_this<Informer::Impl> {
  Impl(Client& with, InformerOptions what, InformerEvents whom)
      : client(with),
        options(std::move(what)),
        events(std::move(whom)),
        pause_timer(with.loop()),
        pause(options.shortest_pause),
        random(std::random_device{}()) {}

  void List(std::string continue_from) {
    call = client.List({.resource = options.resource,
                        .space = options.space,
                        .selector = options.selector,
                        .limit = options.page,
                        .continue_from = std::move(continue_from)},
                       [this](Result<json::Document> page) { TakePage(std::move(page)); });
  }

  void BeginList() {
    ++turn;
    List("");
  }

  void TakePage(Result<json::Document> page) {
    // A list that took too long to turn its pages begins anew, as does everything else.
    if (!page) return Trouble(page.error(), /*begin_anew=*/true);
    const auto alive = shared_from_this();
    for (const json::View object : (*page)["items"].items()) {
      Set(object);
      if (ended) return;
    }
    const json::View metadata = (*page)["metadata"];
    if (std::string next(metadata["continue"].StringOr("")); !next.empty()) {
      return List(std::move(next));
    }
    version = metadata["resourceVersion"].StringOr("");
    RemoveUnseen();
    if (ended) return;
    is_synced = true;
    events.synced();
    if (!ended) Watch();
  }

  void RemoveUnseen() {
    std::vector<std::string> gone;
    for (const auto& [key, seen] : held) {
      if (seen != turn) gone.push_back(key);
    }
    for (const std::string& key : gone) {
      if (ended) return;
      held.erase(key);
      events.removed(NameIn(key));
    }
  }

  void Set(json::View object) {
    const ObjectName name = NameOf(object);
    if (name.name.empty()) return;
    held[name.Text()] = turn;
    events.set(name, object);
  }

  void Watch() {
    lines.emplace(kLongestEvent);
    heard = false;
    anew = false;
    call = client.Watch({.resource = options.resource,
                         .space = options.space,
                         .selector = options.selector,
                         .resource_version = version,
                         .time = options.watch_time,
                         .quiet_time = options.quiet_time},
                        {.began = {},
                         .piece = [this](const std::string& piece) { TakePiece(piece); },
                         .ended = [this](Result<void> result) { WatchEnded(std::move(result)); }});
  }

  void TakePiece(const std::string& piece) {
    const auto alive = shared_from_this();
    Error error{Errc::kCorrupt, "an event of the watch is too long"};
    const bool whole =
        lines->Feed(piece, [&](std::string_view line) { return TakeEvent(line, error); });
    if (!whole && !ended) Trouble(error, anew);
  }

  // False when the watch cannot go on; `error` says why.
  bool TakeEvent(std::string_view line, Error& error) {
    auto event = json::Document::Parse(line, {.bytes = kLongestEvent});
    if (!event) {
      error = std::move(event.error());
      return false;
    }
    const std::string_view type = (*event)["type"].StringOr("");
    const json::View object = (*event)["object"];
    if (type == "ERROR") {
      // Mostly 410: what happened since `version` is not known any more.
      anew = true;
      error = {Errc::kConflict, std::string(object["message"].StringOr("the watch has failed"))};
      return false;
    }
    heard = true;
    pause = options.shortest_pause;
    version = object["metadata"]["resourceVersion"].StringOr(version);
    if (type == "ADDED" || type == "MODIFIED") Set(object);
    if (type == "DELETED") Remove(NameOf(object));
    return !ended;
  }

  void Remove(const ObjectName& name) {
    if (held.erase(name.Text()) != 0) events.removed(name);
  }

  // The end of a watch in good order is not trouble, but one that ends without a word may be.
  void WatchEnded(Result<void> result) {
    if (result && heard) return Watch();
    if (result) return WaitThen(false);
    Trouble(result.error(), result.error().code == Errc::kConflict);
  }

  void Trouble(const Error& error, bool begin_anew) {
    const auto alive = shared_from_this();
    call = {};
    events.trouble(error);
    if (!ended) WaitThen(begin_anew);
  }

  void WaitThen(bool begin_anew) {
    const auto half = pause / 2;
    const std::chrono::milliseconds jitter(
        std::uniform_int_distribution<int64_t>(0, half.count())(random));
    pause_timer.Set(half + jitter, [this, begin_anew] { begin_anew ? BeginList() : Watch(); });
    pause = std::min(pause * 2, options.longest_pause);
  }

  Client& client;
  const InformerOptions options;
  const InformerEvents events;
  platform::Timer pause_timer;
  std::chrono::milliseconds pause;
  std::minstd_rand random;
  http::Call call;
  std::optional<WatchLines> lines;
  std::string version;
  std::unordered_map<std::string, uint32_t> held;  // by name: the list that last had it
  uint32_t turn = 0;                               // which list
  bool heard = false;                              // the watch has said something
  bool anew = false;                               // it cannot be taken up where it ended
  bool is_synced = false;
  bool ended = false;
};

Informer::Informer(Client& client, InformerOptions options, InformerEvents events)
    : impl_(std::make_shared<Impl>(client, std::move(options), std::move(events))) {}

Informer::~Informer() {
  impl_->ended = true;
  impl_->call = {};
  impl_->pause_timer.Cancel();
}

void Informer::Start() { impl_->BeginList(); }
bool Informer::is_synced() const { return impl_->is_synced; }
size_t Informer::size() const { return impl_->held.size(); }
std::string_view Informer::resource_version() const { return impl_->version; }

}  // namespace warpshare::kube
