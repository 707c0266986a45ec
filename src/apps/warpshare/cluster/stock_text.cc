#include "apps/warpshare/cluster/stock_text.h"

#include <algorithm>
#include <map>

#include "apps/warpshare/cluster/card_words.h"
#include "apps/warpshare/text_table.h"
#include "types/printable.h"

namespace warpshare::app {

namespace {

using report::CardStock;
using report::NodeFacts;
using report::NodeStock;
using report::PodFacts;
using report::Stock;
using report::Tenant;

// "2 A100, 1 T4".
std::string ModelsText(const NodeStock& node) {
  std::map<std::string, uint64_t> counts;
  for (const CardStock& card : node.cards) ++counts[Printable(card.spec->model)];
  std::string text;
  for (const auto& [model, count] : counts) {
    text += text.empty() ? "" : ", ";
    text += counts.size() == 1 ? model : std::to_string(count) + " " + model;
  }
  return text.empty() ? "-" : text;
}

std::string StateText(const NodeStock& node) {
  std::string text = node.facts->is_ready ? "ready" : "not ready";
  if (node.facts->is_cordoned) text += ", cordoned";
  if (node.sums.unhealthy != 0)
    text += ", " + Counted(node.sums.unhealthy, "card", "cards") + " unhealthy";
  // The kubelet gives none away, whatever was announced: the device plugin is not there.
  if (!node.cards.empty() && node.facts->slots == 0) text += ", no warpshare-node";
  if (!node.facts->problem.empty()) text += ", " + Printable(node.facts->problem);
  return text;
}

std::string TaintsText(const NodeFacts& facts) {
  std::string text;
  for (const report::Taint& taint : facts.taints)
    text += (text.empty() ? "" : ",") + Printable(taint.Text());
  return text.empty() ? "-" : text;
}

std::string PlainText(uint64_t taken, uint64_t total) {
  return taken == 0 && total == 0 ? "-" : std::to_string(taken) + " / " + std::to_string(total);
}

TextTable::Row NodeRow(const NodeStock& node) {
  return {node.facts->name(),
          std::to_string(node.sums.cards),
          MemoryOfText(node.sums.memory_allocated, node.sums.memory),
          PercentText(node.sums.memory_allocated, node.sums.memory),
          CoresOfText(node.sums.cores_allocated, node.sums.cores),
          std::to_string(node.sums.tenants),
          PlainText(node.plain_taken, node.facts->plain_cards),
          ModelsText(node),
          std::to_string(node.facts->slots),
          TaintsText(*node.facts),
          StateText(node)};
}

std::string WaitingText(const Stock& stock) {
  const PodFacts& first = *stock.waiting.front();
  return Counted(stock.waiting.size(), "pod waits for cards", "pods wait for cards") +
         ": see: warpshare explain " + first.name + " -n " + first.space;
}

bool IsShown(const PodFacts& pod, const StockView& view) {
  return view.space.empty() || pod.space == view.space;
}

// What is on a card, or beside the cards, of a node: a line under it.
TextTable::Row Below(const std::string& memory, const std::string& cores, const std::string& pod) {
  return {"", "", "", "", memory, "", cores, "", "", "", pod};
}

std::string HealthText(const CardStock& card) {
  return std::string(card.spec->healthy ? "ok" : "unhealthy") +
         (card.is_taken ? ", nvidia.com/gpu" : "");
}

void AddCard(const CardStock& card, const NodeStock& node, const StockView& view,
             TextTable& table) {
  const place::CardSpec& spec = *card.spec;
  table.Add({card.index == 0 ? node.facts->name() : "", std::to_string(card.index),
             view.is_wide ? spec.uuid.Text() : spec.uuid.ShortText(), Printable(spec.model),
             MemoryOfText(card.sums.memory_allocated, card.sums.memory),
             PercentText(card.sums.memory_allocated, card.sums.memory),
             CoresOfText(card.sums.cores_allocated, card.sums.cores),
             std::to_string(card.sums.tenants) + " / " + std::to_string(spec.slots),
             spec.numa_node < 0 ? "-" : std::to_string(spec.numa_node), HealthText(card), ""});
  for (const Tenant& tenant : card.tenants) {
    if (!IsShown(*tenant.pod, view)) continue;
    const std::string cores = CoresText(tenant.grant->cores_percent);
    table.Add(Below(Rounded(tenant.grant->memory),
                    (cores == "-" ? "" : cores + " ") + ModeText(*tenant.grant),
                    tenant.pod->Name() + " " + tenant.container->container));
  }
}

void AddUncounted(const NodeStock& node, const StockView& view, TextTable& table) {
  const size_t before = node.cards.size();
  bool is_first = before == 0;
  const auto add = [&](const std::string& text) {
    TextTable::Row row = Below("", "", text);
    if (is_first) row[0] = node.facts->name();
    is_first = false;
    table.Add(std::move(row));
  };
  for (const PodFacts* pod : node.plain)
    if (IsShown(*pod, view))
      add(pod->Name() + ": " + std::to_string(pod->plain_cards) +
          " nvidia.com/gpu, of cards that only the node knows");
  for (const PodFacts* pod : node.broken)
    if (IsShown(*pod, view)) add(pod->Name() + ": not counted: " + Printable(pod->problem));
}

struct PodRows {
  const report::Survey& survey;
  TextTable& table;

  void Add(const PodFacts& pod) {
    if (pod.node.empty()) return AddWaiting(pod);
    if (!pod.assignment || !pod.problem.empty())
      return AddLine(pod, "-", {"-", "-", "-"}, pod.is_plain ? "nvidia.com/gpu" : "-",
                     pod.problem.empty() ? pod.phase : pod.problem);
    for (const request::ContainerGrant& container : pod.assignment->containers)
      for (const request::CardGrant& grant : container.cards)
        AddLine(
            pod, container.container,
            {CardText(pod.node, grant.uuid), Rounded(grant.memory), CoresText(grant.cores_percent)},
            ModeText(grant), pod.phase, grant.uuid.Text());
  }

 private:
  struct Part {
    std::string card;
    std::string memory;
    std::string cores;
  };

  void AddLine(const PodFacts& pod, const std::string& container, const Part& part,
               const std::string& mode, const std::string& state, const std::string& uuid = "-") {
    table.Add({pod.space, pod.name, container, pod.node.empty() ? "-" : pod.node, part.card,
               part.memory, part.cores, mode, uuid, Printable(state)});
  }

  void AddWaiting(const PodFacts& pod) {
    const std::string state =
        pod.problem.empty() ? "waits for " + WantedText(pod.request) : "waits: " + pod.problem;
    AddLine(pod, "-", {"-", "-", "-"}, "-", state);
  }

  std::string CardText(const std::string& node, const GpuUuid& uuid) const {
    const NodeFacts* facts = survey.FindNode(node);
    if (facts == nullptr) return "?";
    for (size_t i = 0; i < facts->cards.size(); ++i)
      if (facts->cards[i].uuid == uuid) return std::to_string(i);
    return "?";
  }
};

}  // namespace

std::vector<std::string> NodeLines(const Stock& stock, const StockView& view) {
  TextTable table;
  table.Add({"NODE", "CARDS", "MEMORY", "", "CORES", "CONTAINERS", "NVIDIA.COM/GPU", "MODEL",
             "SLOTS", "TAINTS", "STATE"});
  for (const NodeStock& node : stock.nodes) table.Add(NodeRow(node));
  if (stock.nodes.size() > 1)
    table.Add({"total", std::to_string(stock.sums.cards),
               MemoryOfText(stock.sums.memory_allocated, stock.sums.memory),
               PercentText(stock.sums.memory_allocated, stock.sums.memory),
               CoresOfText(stock.sums.cores_allocated, stock.sums.cores),
               std::to_string(stock.sums.tenants), PlainText(stock.plain_taken, stock.plain_cards),
               "", "", "", ""});
  if (!view.is_wide) table.Drop({"SLOTS", "TAINTS"});
  if (stock.plain_cards == 0 && stock.plain_taken == 0) table.Drop({"NVIDIA.COM/GPU"});
  std::vector<std::string> lines;
  if (!stock.nodes.empty()) lines = table.Lines(/*width=*/0);
  if (stock.nodes.empty())
    lines.emplace_back("no node has cards: see whether warpshare-node runs on those with GPUs");
  if (stock.nodes_without_cards != 0)
    lines.push_back("and " + Counted(stock.nodes_without_cards, "node", "nodes") +
                    " without cards");
  if (!stock.waiting.empty()) lines.push_back(WaitingText(stock));
  return lines;
}

std::vector<std::string> CardLines(const Stock& stock, const StockView& view) {
  TextTable table;
  table.Add({"NODE", "CARD", "UUID", "MODEL", "MEMORY", "", "CORES", "CONTAINERS", "NUMA", "HEALTH",
             "POD"});
  for (const NodeStock& node : stock.nodes) {
    for (const CardStock& card : node.cards) AddCard(card, node, view, table);
    AddUncounted(node, view, table);
  }
  if (!view.is_wide) table.Drop({"NUMA"});
  if (stock.nodes.empty()) return {"no node has cards"};
  return table.Lines(/*width=*/0);
}

std::vector<std::string> PodLines(const report::Survey& survey, const StockView& view) {
  TextTable table;
  table.Add({"NAMESPACE", "POD", "CONTAINER", "NODE", "CARD", "MEMORY", "CORES", "MODE", "UUID",
             "STATE"});
  PodRows rows{survey, table};
  for (const PodFacts& pod : survey.pods()) rows.Add(pod);
  if (!view.is_wide) table.Drop({"UUID"});
  if (survey.pods().empty()) return {"no pod asks for cards"};
  return table.Lines(/*width=*/0);
}

}  // namespace warpshare::app
