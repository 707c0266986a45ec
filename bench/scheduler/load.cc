#include "bench/scheduler/load.h"

#include <cstdio>

#include "platform/json/json.h"
#include "platform/json/writer.h"

namespace warpshare::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLimit{60};
constexpr size_t kMostBinds = 32;  // under way
constexpr uint32_t kFloorRequests = 200;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// These texts are our own writer's, so they are looked through as they are: a whole parse would
// cost as much as the daemon's work.
std::string PassedNames(const std::string& filter_answer) {
  const size_t begin = filter_answer.find(R"("NodeNames":[)");
  if (begin == std::string::npos) return "[]";
  const size_t open = begin + 12;
  return filter_answer.substr(open, filter_answer.find(']', open) + 1 - open);
}

std::string BestHost(const std::string& scores) {
  const size_t score = scores.find(R"(","Score":10})");
  if (score == std::string::npos) return "";
  const size_t begin = scores.rfind('"', score - 1) + 1;
  return scores.substr(begin, score - begin);
}

std::string NodesBody(const std::string& pod, const std::string& names) {
  return R"({"Pod":)" + pod + R"(,"Nodes":null,"NodeNames":)" + names + "}";
}

std::string BindBody(const std::string& pod, const std::string& node) {
  const auto document = json::Document::Parse(pod);
  const json::View metadata = (*document)["metadata"];
  json::Writer body;
  body.BeginObject().Member("PodName", metadata["name"].StringOr(""));
  body.Member("PodNamespace", metadata["namespace"].StringOr(""));
  return body.Member("PodUID", metadata["uid"].StringOr(""))
      .Member("Node", node)
      .EndObject()
      .Take();
}

std::unique_ptr<http::Client> Connect(platform::EventLoop& loop, uint16_t port) {
  return std::move(
      http::Client::Make(loop, {.host = "127.0.0.1", .port = port, .tls = {}}).value());
}

}  // namespace

Load::Load(platform::EventLoop& loop, const SchedulerProcess& daemon)
    : loop_(loop),
      daemon_(daemon),
      verbs_(Connect(loop, daemon.port())),
      binds_(Connect(loop, daemon.port())) {}

Load::Answer Load::Ask(const std::string& method, const std::string& target, std::string body) {
  Answer answer;
  bool came = false;
  const auto begin = Clock::now();
  const http::Call call =
      verbs_->Send({.method = method, .target = target, .headers = {}, .body = std::move(body)},
                   [&](Result<http::Response> response) {
                     answer.milliseconds = MillisecondsSince(begin);
                     came = true;
                     if (!response) return;
                     answer.status = response->status;
                     answer.body = std::move(response->body);
                   });
  loop_.RunUntil([&] { return came; }, kLimit);
  return answer;
}

bool Load::WaitUntilReady(std::chrono::seconds limit) {
  const auto end = Clock::now() + limit;
  while (Ask("GET", "/readyz", "").status != 200) {
    if (Clock::now() > end) return false;
    loop_.RunUntil([] { return false; }, std::chrono::milliseconds(50));
  }
  return true;
}

LoadFigures Load::Run(const std::vector<std::string>& nodes, const std::vector<std::string>& pods,
                      const std::function<void(uint32_t)>& each) {
  LoadFigures figures;
  json::Writer names;
  names.BeginArray();
  for (const std::string& node : nodes) names.String(node);
  const std::string all_names = names.EndArray().Take();
  for (uint32_t i = 0; i < kFloorRequests; ++i)
    figures.floor_ms.push_back(Ask("GET", "/healthz", "").milliseconds);
  const auto begin = Clock::now();
  const double ran_before_ms = daemon_.Time().ran_ms;
  for (uint32_t i = 0; i < pods.size(); ++i) {
    Place(pods[i], all_names, figures);
    each(i + 1);
  }
  loop_.RunUntil([&] { return calls_.empty(); }, kLimit);
  figures.seconds = MillisecondsSince(begin) / 1'000;
  figures.daemon_ms = daemon_.Time().ran_ms - ran_before_ms;
  return figures;
}

Load::Answer Load::AskFilter(const std::string& body, LoadFigures& figures) {
  const DaemonTime before = daemon_.Time();
  Answer answer = Ask("POST", "/scheduler/filter", body);
  const DaemonTime after = daemon_.Time();
  figures.filters.push_back({.pod = static_cast<uint32_t>(figures.filters.size()),
                             .took_ms = answer.milliseconds,
                             .daemon = {.ran_ms = after.ran_ms - before.ran_ms,
                                        .waited_ms = after.waited_ms - before.waited_ms}});
  return answer;
}

void Load::Place(const std::string& pod, const std::string& all_names, LoadFigures& figures) {
  const Answer filter = AskFilter(NodesBody(pod, all_names), figures);
  const std::string passed = PassedNames(filter.body);
  if (passed == "[]") {
    ++figures.nowhere;
    return;
  }
  // As kube-scheduler: nobody is asked about the scores of a single node.
  if (passed.find(',') == passed.npos)
    return Bind(pod, passed.substr(2, passed.size() - 4), figures);
  const Answer scores = Ask("POST", "/scheduler/prioritize", NodesBody(pod, passed));
  figures.prioritize_ms.push_back(scores.milliseconds);
  Bind(pod, BestHost(scores.body), figures);
}

void Load::Bind(const std::string& pod, const std::string& node, LoadFigures& figures) {
  loop_.RunUntil([&] { return calls_.size() < kMostBinds; }, kLimit);
  const uint64_t id = ++last_call_;
  calls_[id] = binds_->Send(
      {.method = "POST", .target = "/scheduler/bind", .headers = {}, .body = BindBody(pod, node)},
      [this, id, node, &figures](const Result<http::Response>& response) {
        const http::Call ended = std::move(calls_.extract(id).mapped());
        const bool is_bound = response && response->body == R"({"Error":""})";
        is_bound ? ++figures.bound : ++figures.refused;
        if (!is_bound)
          std::fprintf(stderr, "bench_scheduler: bind to %s: %s\n", node.c_str(),
                       response ? response->body.c_str() : response.error().message.c_str());
      });
}

}  // namespace warpshare::bench
