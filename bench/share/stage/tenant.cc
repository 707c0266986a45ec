#include "bench/share/stage/tenant.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <initializer_list>
#include <sstream>

namespace warpshare::bench {

namespace {

TenantPlan Plan(const std::string& name, const std::string& policy,
                const std::vector<std::string>& terms, std::vector<std::string> load) {
  TenantPlan plan = {.name = name, .terms = {"--policy", policy}, .load = std::move(load)};
  plan.terms.insert(plan.terms.end(), terms.begin(), terms.end());
  return plan;
}

std::vector<std::string> CommandOf(const SimMachine& machine, const TenantPlan& plan,
                                   double seconds) {
  std::vector<std::string> command;
  if (!plan.terms.empty()) {
    command = {machine.build().Program("warpshare"), "run", "--sim", "--name", plan.name};
    command.insert(command.end(), plan.terms.begin(), plan.terms.end());
    command.emplace_back("--");
  }
  command.push_back(machine.build().Program("share_load"));
  command.insert(command.end(), plan.load.begin(), plan.load.end());
  for (const char* word : {"--start", "stdin", "--seconds"}) command.emplace_back(word);
  command.push_back(std::to_string(seconds));
  return command;
}

LoadReport ReadReport(const std::string& output) {
  LoadReport report;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("burst_start_ns") != std::string::npos) {
      report.bursts.push_back({.start_ns = static_cast<uint64_t>(NumberIn(line, "burst_start_ns")),
                               .latency_ns = static_cast<uint64_t>(NumberIn(line, "latency_ns"))});
    } else if (line.find("\"done\"") != std::string::npos) {
      report.done = NumberIn(line, "done");
      report.seconds = (NumberIn(line, "end_ns") - NumberIn(line, "start_ns")) / 1e9;
      report.p50_us = NumberIn(line, "p50_us");
      report.p99_us = NumberIn(line, "p99_us");
      report.complete = true;
    }
  }
  return report;
}

}  // namespace

double NumberIn(const std::string& json, const std::string& name) {
  const std::string key = "\"" + name + "\": ";
  const size_t at = json.find(key);
  return at == std::string::npos ? 0 : strtod(json.c_str() + at + key.size(), nullptr);
}

TenantPlan Hard(const std::string& name, int percent, std::vector<std::string> load) {
  return Plan(name, "hard", {"--cores", std::to_string(percent)}, std::move(load));
}
TenantPlan Soft(const std::string& name, int percent, std::vector<std::string> load) {
  return Plan(name, "soft", {"--cores", std::to_string(percent)}, std::move(load));
}
TenantPlan Weighted(const std::string& name, int weight, std::vector<std::string> load) {
  return Plan(name, "weighted", {"--weight", std::to_string(weight)}, std::move(load));
}
TenantPlan Priority(const std::string& name, const std::string& which,
                    std::vector<std::string> load) {
  return Plan(name, "priority", {"--priority", which}, std::move(load));
}
TenantPlan Bare(const std::string& name, std::vector<std::string> load) {
  return {.name = name, .terms = {}, .load = std::move(load)};
}

TenantRun::TenantRun(const SimMachine& machine, TenantPlan plan, double seconds)
    : plan_(std::move(plan)) {
  const testing::Environment environment = plan_.terms.empty() ? machine.Bare() : machine.Tenant();
  for (int i = 0; i < plan_.processes; ++i) {
    programs_.push_back(
        std::make_unique<testing::RunningProgram>(CommandOf(machine, plan_, seconds), environment));
  }
}

void TenantRun::AwaitReady() {
  for (const auto& program : programs_) {
    if (!program->AwaitOutput("}\n")) {
      fprintf(stderr, "bench_share: tenant %s did not start: %s\n", plan_.name.c_str(),
              program->Await().err.c_str());
      exit(1);
    }
    pids_.push_back(static_cast<pid_t>(NumberIn(program->so_far().out, "ready")));
  }
}

void TenantRun::Go() {
  for (const auto& program : programs_) program->GoOn();
}

void TenantRun::Kill() {
  for (const pid_t pid : pids_) kill(pid, SIGKILL);
}

const std::vector<LoadReport>& TenantRun::Finish() {
  for (const auto& program : programs_) reports_.push_back(ReadReport(program->Await().out));
  programs_.clear();
  return reports_;
}

}  // namespace warpshare::bench
