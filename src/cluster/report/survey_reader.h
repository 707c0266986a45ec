// Fills a Survey from the API server, page by page. Runs the client's loop while it waits: for
// programs that do one thing.
#pragma once

#include <functional>
#include <string>

#include "cluster/report/survey.h"
#include "platform/kube/client.h"

namespace warpshare::report {

// Runs the loop until what `ask` asks for is answered. The error says which server it was.
using Ask = std::function<http::Call(kube::Client::Done)>;
Result<json::Document> Await(kube::Client& client, const Ask& ask);

struct Scope {
  std::string node = {};         // that one and its pods; empty: all
  std::string space = {};        // pods of that namespace; empty: of all
  kube::ObjectName quotas = {};  // a ConfigMap; without a name: not wanted
  unsigned page = 500;           // objects in one answer
};

// After each page.
struct Progress {
  size_t nodes = 0;
  size_t pods = 0;
};
using OnProgress = std::function<void(const Progress&)>;

// What could not be read, though it was no reason to stop.
struct Gaps {
  std::string quotas = {};  // why the quotas are not known; empty: they are, or there are none
};

Result<Gaps> ReadSurvey(kube::Client& client, const Scope& scope, Survey& survey,
                        const OnProgress& progress);

}  // namespace warpshare::report
