#include "cluster/extender/wire.h"

#include "platform/json/writer.h"

namespace warpshare::cluster {

namespace {

bool IsGiven(json::View view) { return view && view.kind() != json::Kind::kNull; }

Result<void> ReadFullNodes(json::View nodes, NodesArgs& args) {
  const auto items = nodes.AnyCase("items").Array();
  if (!items) return Fail(items.error());
  args.has_nodes = true;
  for (const json::View node : items->items()) {
    const auto name = node["metadata"]["name"].String();
    if (!name) return Fail(name.error());
    args.names.push_back(*name);
    args.nodes.push_back(node);
  }
  return {};
}

Result<void> ReadNames(json::View list, NodesArgs& args) {
  const auto names = list.Array();
  if (!names) return Fail(names.error());
  args.names.reserve(names->size());
  for (const json::View item : names->items()) {
    const auto name = item.String();
    if (!name) return Fail(name.error());
    args.names.push_back(*name);
  }
  return {};
}

Result<std::string> NonEmpty(json::View text) {
  const auto string = text.String();
  if (!string) return Fail(string.error());
  if (string->empty()) return text.Wrong("expected a name");
  return std::string(*string);
}

Result<Victims> ReadVictims(std::string_view node, json::View untrusted_victims) {
  Victims victims{
      .node = std::string(node),
      .disruption_violations = untrusted_victims.AnyCase("NumPDBViolations").IntegerOr(0)};
  const json::View pods = untrusted_victims.AnyCase("Pods");
  if (!IsGiven(pods)) return victims;
  if (const auto list = pods.Array(); !list) return Fail(list.error());
  for (const json::View pod : pods.items()) {
    const json::View meta = pod.AnyCase("UID");
    auto uid = NonEmpty(meta ? meta : pod["metadata"]["uid"]);
    if (!uid) return Forward(uid);
    victims.uids.push_back(std::move(*uid));
  }
  return victims;
}

void WriteReasons(json::Writer& text, const std::vector<NodeReason>& reasons) {
  text.BeginObject();
  for (const auto& [node, reason] : reasons) text.Member(node, reason);
  text.EndObject();
}

void WritePassed(json::Writer& text, const NodesArgs& asked, const FilterResult& result) {
  if (asked.has_nodes) {
    text.Key("Nodes").BeginObject().Key("metadata").BeginObject().EndObject();
    text.Key("items").BeginArray();
    for (const uint32_t place : result.passed) text.Raw(asked.nodes[place].Text());
    text.EndArray().EndObject();
  } else {
    text.Key("Nodes").Null();
  }
  text.Key("NodeNames").BeginArray();
  for (const uint32_t place : result.passed) text.String(asked.names[place]);
  text.EndArray();
}

}  // namespace

Result<NodesArgs> ReadNodesArgs(json::View body) {
  NodesArgs args{.pod = body.AnyCase("Pod")};
  if (const auto pod = args.pod.Object(); !pod) return Fail(pod.error());
  const json::View nodes = body.AnyCase("Nodes");
  const json::View names = body.AnyCase("NodeNames");
  auto read = IsGiven(names) ? ReadNames(names, args) : ReadFullNodes(nodes, args);
  if (!read) return Forward(read);
  return args;
}

Result<BindArgs> ReadBindArgs(json::View body) {
  BindArgs args;
  const std::pair<const char*, std::string*> fields[] = {{"PodName", &args.pod_name},
                                                         {"PodNamespace", &args.pod_namespace},
                                                         {"PodUID", &args.pod_uid},
                                                         {"Node", &args.node}};
  for (const auto& [name, field] : fields) {
    auto text = NonEmpty(body.AnyCase(name));
    if (!text) return Forward(text);
    *field = std::move(*text);
  }
  return args;
}

Result<PreemptArgs> ReadPreemptArgs(json::View body) {
  PreemptArgs args{.pod = body.AnyCase("Pod")};
  if (const auto pod = args.pod.Object(); !pod) return Fail(pod.error());
  const json::View by_uid = body.AnyCase("NodeNameToMetaVictims");
  const json::View nodes = IsGiven(by_uid) ? by_uid : body.AnyCase("NodeNameToVictims");
  if (const auto object = nodes.Object(); !object) return Fail(object.error());
  for (const auto& [name, untrusted_victims] : nodes.members()) {
    auto victims = ReadVictims(name, untrusted_victims);
    if (!victims) return Forward(victims);
    args.nodes.push_back(std::move(*victims));
  }
  return args;
}

std::string FilterText(const NodesArgs& asked, const FilterResult& result) {
  json::Writer text;
  text.BeginObject();
  WritePassed(text, asked, result);
  text.Key("FailedNodes");
  WriteReasons(text, result.failed);
  text.Key("FailedAndUnresolvableNodes");
  WriteReasons(text, result.never);
  return text.Member("Error", "").EndObject().Take();
}

std::string ScoresText(const std::vector<HostScore>& scores) {
  json::Writer text;
  text.BeginArray();
  for (const HostScore& score : scores)
    text.BeginObject().Member("Host", score.host).Member("Score", score.score).EndObject();
  return text.EndArray().Take();
}

std::string PreemptText(const std::vector<Victims>& nodes) {
  json::Writer text;
  text.BeginObject().Key("NodeNameToMetaVictims").BeginObject();
  for (const Victims& victims : nodes) {
    text.Key(victims.node).BeginObject().Key("Pods").BeginArray();
    for (const std::string& uid : victims.uids) text.BeginObject().Member("UID", uid).EndObject();
    text.EndArray().Member("NumPDBViolations", victims.disruption_violations).EndObject();
  }
  return text.EndObject().EndObject().Take();
}

std::string ErrorText(std::string_view error) {
  json::Writer text;
  return text.BeginObject().Member("Error", error).EndObject().Take();
}

}  // namespace warpshare::cluster
