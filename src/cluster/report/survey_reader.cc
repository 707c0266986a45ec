#include "cluster/report/survey_reader.h"

#include <chrono>
#include <optional>
#include <utility>

namespace warpshare::report {

namespace {

// Longer than the client itself waits for an answer.
constexpr std::chrono::minutes kPatience{10};

std::string ServerText(const kube::Config& config) {
  return std::string(config.tls ? "https://" : "http://") + config.host + ':' +
         std::to_string(config.port) + (config.source.empty() ? "" : " (" + config.source + ')');
}

Error Explained(const kube::Config& config, Error error) {
  const std::string server = ServerText(config);
  switch (error.code) {
    case Errc::kUnavailable:
      error.message = "API server " + server + ": " + error.message +
                      ": see whether it runs and can be reached from here";
      break;
    case Errc::kPermission:
      error.message = "API server " + server + ": " + error.message +
                      ": have the ClusterRole warpshare-viewer bound to you, or name another "
                      "context";
      break;
    default:
      break;
  }
  return error;
}

class Reader {
 public:
  Reader(kube::Client& client, const Scope& scope, Survey& survey, const OnProgress& progress)
      : client_(client), scope_(scope), survey_(survey), progress_(progress) {}

  Result<void> ReadNodes() {
    if (scope_.node.empty())
      return ReadList({.resource = kube::kNodes, .limit = scope_.page}, [this](json::View node) {
        ++read_.nodes;
        survey_.AddNode(node);
      });
    auto node = Await(client_, [this](kube::Client::Done done) {
      return client_.Get(kube::kNodes, {.name = scope_.node}, std::move(done));
    });
    if (!node && node.error().code == Errc::kNotFound)
      return Fail(Errc::kNotFound, "no node " + scope_.node + ": see: kubectl get nodes");
    if (!node) return Forward(node);
    survey_.AddNode(node->root());
    return {};
  }

  Result<void> ReadPods() {
    std::string fields = "status.phase!=Succeeded,status.phase!=Failed";
    if (!scope_.node.empty()) fields += ",spec.nodeName=" + scope_.node;
    return ReadList({.resource = kube::kPods,
                     .space = scope_.space,
                     .selector = {.fields = std::move(fields)},
                     .limit = scope_.page},
                    [this](json::View pod) {
                      ++read_.pods;
                      survey_.AddPod(pod);
                    });
  }

  Gaps ReadQuotas() {
    if (scope_.quotas.name.empty()) return {};
    auto config_map = Await(client_, [this](kube::Client::Done done) {
      return client_.Get(kube::kConfigMaps, scope_.quotas, std::move(done));
    });
    if (config_map)
      survey_.SetQuotas(config_map->root());
    else if (config_map.error().code != Errc::kNotFound)
      return {.quotas = config_map.error().message};
    else
      survey_.SetQuotas({});
    return {};
  }

 private:
  template <typename Take>
  Result<void> ReadList(kube::ListRequest request, const Take& take) {
    do {
      auto page = Await(
          client_, [&](kube::Client::Done done) { return client_.List(request, std::move(done)); });
      if (!page && page.error().code == Errc::kConflict)
        return Fail(Errc::kUnavailable,
                    page.error().message + ": the list changed while it was read: try again");
      if (!page) return Forward(page);
      for (const json::View object : (*page)["items"].items()) take(object);
      progress_(read_);
      request.continue_from = (*page)["metadata"]["continue"].StringOr("");
    } while (!request.continue_from.empty());
    return {};
  }

  kube::Client& client_;
  const Scope& scope_;
  Survey& survey_;
  const OnProgress& progress_;
  Progress read_;
};

}  // namespace

Result<json::Document> Await(kube::Client& client, const Ask& ask) {
  std::optional<Result<json::Document>> answer;
  const http::Call call = ask([&answer](Result<json::Document> came) { answer = std::move(came); });
  client.loop().RunUntil([&answer] { return answer.has_value(); }, kPatience);
  if (!answer) answer = Fail(Errc::kUnavailable, "no answer");
  if (*answer) return std::move(*answer);
  return Fail(Explained(client.config(), std::move(answer->error())));
}

Result<Gaps> ReadSurvey(kube::Client& client, const Scope& scope, Survey& survey,
                        const OnProgress& progress) {
  Reader reader(client, scope, survey, progress);
  if (auto read = reader.ReadNodes(); !read) return Forward(read);
  if (auto read = reader.ReadPods(); !read) return Forward(read);
  return reader.ReadQuotas();
}

}  // namespace warpshare::report
