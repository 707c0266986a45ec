#include "node/cluster_link/announcer.h"

#include "abi/names/annotations.h"
#include "abi/names/resources.h"
#include "platform/json/writer.h"
#include "platform/log_file/log_words.h"

namespace warpshare::node {

namespace {

constexpr std::chrono::seconds kLookPause{1};

// What is not there, or no number, is announced anew.
int64_t CapacityOf(const json::View& node, std::string_view resource) {
  const std::string text(node["status"]["capacity"][resource].StringOr("-1"));
  return std::strtoll(text.c_str(), nullptr, 10);
}

std::string AnnotationPatch(const Announcement& announcement) {
  json::Writer writer;
  writer.BeginObject().Key("metadata").BeginObject().Key("annotations").BeginObject();
  writer.Member(abi::kAnnotationCards, announcement.cards);
  if (!announcement.lingering.empty())
    writer.Member(abi::kAnnotationLingering, announcement.lingering);
  if (!announcement.taken.empty()) writer.Member(abi::kAnnotationTaken, announcement.taken);
  return writer.EndObject().EndObject().EndObject().Take();
}

std::string CapacityPatch(const NodeCapacity& capacity) {
  json::Writer writer;
  writer.BeginObject().Key("status").BeginObject().Key("capacity").BeginObject();
  writer.Member(abi::kResourceGpuMemory, std::to_string(capacity.memory_mib));
  writer.Member(abi::kResourceGpuCores, std::to_string(capacity.core_percent));
  return writer.EndObject().EndObject().EndObject().Take();
}

}  // namespace

Announcer::Announcer(kube::Client& client, Setup setup, platform::Log& log)
    : client_(client),
      setup_(std::move(setup)),
      log_(log),
      timer_(client.loop()),
      informer_(client,
                {.resource = kube::kNodes,
                 .space = "",
                 .selector = {.labels = "", .fields = "metadata.name=" + setup_.node_name}},
                {.set = [this](const kube::ObjectName&, json::View node) { Seen(node); },
                 .removed = [this](const kube::ObjectName&) { is_there_ = false; }}) {}

void Announcer::Start() {
  informer_.Start();
  LookAgain();
}

void Announcer::Seen(json::View node) {
  is_there_ = true;
  const json::View annotations = node["metadata"]["annotations"];
  seen_ = {.cards = std::string(annotations[abi::kAnnotationCards].StringOr("")),
           .lingering = std::string(annotations[abi::kAnnotationLingering].StringOr("")),
           .taken = std::string(annotations[abi::kAnnotationTaken].StringOr("")),
           .capacity = NodeCapacity{.memory_mib = CapacityOf(node, abi::kResourceGpuMemory),
                                    .core_percent = CapacityOf(node, abi::kResourceGpuCores)}};
  settles_ = false;
  PutRight();
}

void Announcer::LookAgain() {
  settles_ = false;
  PutRight();
  timer_.Set(kLookPause, [this] { LookAgain(); });
}

// One thing at a time. The watch tells when it is there; the answer to the patch does not, as it
// may be older than what the watch has told already.
void Announcer::PutRight() {
  if (!is_there_ || is_asked_ || settles_) return;
  Announcement wanted = setup_.current();
  if (wanted.lingering.empty()) wanted.lingering = seen_.lingering;
  if (wanted.taken.empty()) wanted.taken = seen_.taken;
  if (!wanted.capacity) wanted.capacity = seen_.capacity;
  if (seen_ == wanted) return;
  if (seen_.cards != wanted.cards || seen_.lingering != wanted.lingering ||
      seen_.taken != wanted.taken)
    Patch("", AnnotationPatch(wanted));
  else
    Patch("status", CapacityPatch(*wanted.capacity));
}

void Announcer::Patch(std::string_view subresource, std::string patch) {
  is_asked_ = true;
  const kube::Client::PatchOf node{.resource = kube::kNodes,
                                   .name = {.space = "", .name = setup_.node_name},
                                   .subresource = subresource};
  call_ = client_.Patch(node, std::move(patch), [this](Result<json::Document> done) {
    is_asked_ = false;
    settles_ = true;
    if (!done)
      log_.Line(platform::LogText("announce-failed",
                                  {{"node", setup_.node_name}, {"reason", done.error()}}));
  });
}

}  // namespace warpshare::node
