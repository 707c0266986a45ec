#include "apps/warpshare/cluster/stock_json.h"

#include <initializer_list>

#include "policy/request/compute_words.h"

namespace warpshare::app {

namespace {

using report::CardStock;
using report::NodeStock;
using report::PodFacts;
using report::Stock;
using report::Sums;

int64_t Number(uint64_t value) { return static_cast<int64_t>(value); }

void WriteSums(const Sums& sums, json::Writer& text) {
  text.Member("memory_bytes", Number(sums.memory.count()))
      .Member("memory_allocated_bytes", Number(sums.memory_allocated.count()))
      .Member("cores_percent", Number(sums.cores))
      .Member("cores_allocated_percent", Number(sums.cores_allocated))
      .Member("containers", Number(sums.tenants));
}

bool IsShown(const PodFacts& pod, const InspectOptions& options) {
  return options.cluster.space.empty() || pod.space == options.cluster.space;
}

void WritePodName(const PodFacts& pod, json::Writer& text) {
  text.Member("namespace", pod.space).Member("pod", pod.name);
}

void WriteCard(const CardStock& card, const InspectOptions& options, json::Writer& text) {
  text.BeginObject().Member("index", Number(card.index)).Member("uuid", card.spec->uuid.Text());
  text.Member("model", card.spec->model).Member("healthy", card.spec->healthy);
  text.Member("taken_by_nvidias_plugin", card.is_taken);
  text.Member("slots", Number(card.spec->slots)).Key("numa_node");
  card.spec->numa_node < 0 ? text.Null() : text.Integer(card.spec->numa_node);
  WriteSums(card.sums, text);
  text.Key("parts").BeginArray();
  for (const report::Tenant& tenant : card.tenants) {
    if (!IsShown(*tenant.pod, options)) continue;
    text.BeginObject();
    WritePodName(*tenant.pod, text);
    text.Member("container", tenant.container->container);
    WriteGrant(*tenant.grant, text);
    text.EndObject();
  }
  text.EndArray().EndObject();
}

void WriteUncounted(const NodeStock& node, const InspectOptions& options, json::Writer& text) {
  text.Key("uncounted_pods").BeginArray();
  for (const auto* pods : {&node.plain, &node.broken}) {
    for (const PodFacts* pod : *pods) {
      if (!IsShown(*pod, options)) continue;
      text.BeginObject();
      WritePodName(*pod, text);
      text.Member("nvidia_gpus", Number(pod->plain_cards)).Key("problem");
      pod->problem.empty() ? text.Null() : text.String(pod->problem);
      text.EndObject();
    }
  }
  text.EndArray();
}

void WriteNode(const NodeStock& node, const InspectOptions& options, json::Writer& text) {
  text.BeginObject().Member("name", node.facts->name());
  text.Member("ready", node.facts->is_ready).Member("cordoned", node.facts->is_cordoned);
  text.Member("kubelet_slots", Number(node.facts->slots));
  text.Member("nvidia_gpus", Number(node.facts->plain_cards));
  text.Member("nvidia_gpus_allocated", Number(node.plain_taken)).Key("problem");
  node.facts->problem.empty() ? text.Null() : text.String(node.facts->problem);
  WriteSums(node.sums, text);
  text.Key("cards").BeginArray();
  for (const CardStock& card : node.cards) WriteCard(card, options, text);
  text.EndArray();
  WriteUncounted(node, options, text);
  text.EndObject();
}

void WriteNodes(const Stock& stock, const InspectOptions& options, json::Writer& text) {
  text.Key("nodes").BeginArray();
  for (const NodeStock& node : stock.nodes) WriteNode(node, options, text);
  text.EndArray().Key("totals").BeginObject();
  text.Member("nodes", Number(stock.nodes.size()));
  text.Member("nodes_without_cards", Number(stock.nodes_without_cards));
  text.Member("cards", Number(stock.sums.cards));
  text.Member("cards_unhealthy", Number(stock.sums.unhealthy));
  text.Member("nvidia_gpus", Number(stock.plain_cards));
  text.Member("nvidia_gpus_allocated", Number(stock.plain_taken));
  WriteSums(stock.sums, text);
  text.Member("pods_waiting", Number(stock.waiting.size())).EndObject();
}

void WritePod(const PodFacts& pod, json::Writer& text) {
  text.BeginObject();
  WritePodName(pod, text);
  text.Key("node");
  pod.node.empty() ? text.Null() : text.String(pod.node);
  text.Member("phase", pod.phase).Key("problem");
  pod.problem.empty() ? text.Null() : text.String(pod.problem);
  text.Key("parts").BeginArray();
  if (pod.assignment) {
    for (const request::ContainerGrant& container : pod.assignment->containers) {
      for (const request::CardGrant& grant : container.cards) {
        text.BeginObject().Member("container", container.container);
        WriteGrant(grant, text);
        text.EndObject();
      }
    }
  }
  text.EndArray().EndObject();
}

}  // namespace

void WriteGrant(const request::CardGrant& grant, json::Writer& text) {
  text.Member("card", grant.uuid.Text()).Member("memory_bytes", Number(grant.memory.count()));
  text.Member("cores_percent", Number(grant.cores_percent));
  text.Member("mode", grant.whole ? "whole" : request::ComputeWord(grant.compute));
  text.Member("weight", Number(grant.compute.weight));
}

std::string StockJson(const Stock& stock, const report::Survey& survey,
                      const InspectOptions& options) {
  json::Writer text;
  text.BeginObject();
  if (options.what == "pods") {
    text.Key("pods").BeginArray();
    for (const PodFacts& pod : survey.pods()) WritePod(pod, text);
    text.EndArray();
  } else {
    WriteNodes(stock, options, text);
  }
  return text.EndObject().Take();
}

}  // namespace warpshare::app
