#include "apps/warpshare/top_command.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "apps/warpshare/complaint.h"
#include "apps/warpshare/ps_command.h"
#include "apps/warpshare/tenant_text.h"
#include "platform/process/signal_queue.h"
#include "platform/terminal/terminal.h"

namespace warpshare::app {

namespace {

using node::TenantReport;
using platform::FullScreen;
using platform::Signal;
using platform::SignalQueue;

std::string Count(size_t number, const char* one, const char* more) {
  return std::to_string(number) + " " + (number == 1 ? one : more);
}

std::string Title(const std::vector<TenantReport>& tenants) {
  size_t processes = 0;
  for (const TenantReport& tenant : tenants) processes += tenant.processes.size();
  const std::time_t now = std::time(nullptr);
  char clock[16] = "";
  std::strftime(clock, sizeof(clock), "%H:%M:%S", std::localtime(&now));
  return std::string("warpshare top  ") + clock + "  " +
         Count(tenants.size(), "tenant", "tenants") + ", " +
         Count(processes, "process", "processes");
}

// Everything that is shown, cut to the screen; `rows` 0: not at all.
std::vector<std::string> Picture(const std::vector<TenantReport>& tenants,
                                 platform::TerminalSize size) {
  std::vector<std::string> lines = {Title(tenants)};
  for (std::string& line : CardTable(tenants, size.columns)) lines.push_back(std::move(line));
  lines.emplace_back();
  for (std::string& line : TenantTable(tenants, size.columns)) lines.push_back(std::move(line));
  if (size.columns != 0 && lines[0].size() > size.columns) lines[0].resize(size.columns);
  if (size.rows != 0 && lines.size() > size.rows) {
    const size_t hidden = lines.size() - size.rows + 1;
    lines.resize(size.rows);
    lines.back() = ("... " + std::to_string(hidden) + " more lines").substr(0, size.columns);
  }
  return lines;
}

void EmphasizeHeader(std::vector<std::string>& lines) {
  for (std::string& line : lines)
    if (line.starts_with("TENANT")) line = "\x1b[7m" + line;  // reversed; Show() ends it
}

int ShowOnce(const TopOptions& options) {
  const auto tenants = TenantsNow();
  if (!tenants) return ExitWith(tenants.error());
  if (options.json) {
    std::puts(TenantJson(*tenants).c_str());
    return kSuccess;
  }
  for (const std::string& line : Picture(*tenants, {.rows = 0, .columns = 0}))
    std::puts(line.c_str());
  return kSuccess;
}

bool IsEnd(const Signal& signal) {
  return signal.number == SIGINT || signal.number == SIGTERM || signal.number == SIGHUP ||
         signal.number == SIGQUIT;
}

// ^Z: the shell gets its screen back, and we ours when we go on.
void Pause(FullScreen& screen) {
  screen.GiveBack();
  platform::StopAsJob(SIGTSTP);
  screen.TakeAgain();
}

bool IsQuit(char key) {
  constexpr char kEscape = '\x1b';
  return key == 'q' || key == 'Q' || key == kEscape || key == FullScreen::kEndOfKeys;
}

// Waits for the next picture; an exit code when there is to be none.
std::optional<int> WaitForNext(FullScreen& screen, const SignalQueue& signals, int milliseconds) {
  const auto signal = signals.Next(milliseconds, STDIN_FILENO);
  if (signal && IsEnd(*signal)) return 128 + signal->number;
  if (signal && signal->number == SIGTSTP) Pause(screen);
  while (const auto key = screen.Key())
    if (IsQuit(*key)) return kSuccess;
  return std::nullopt;
}

int ShowLive(int milliseconds) {
  // Before the screen is taken, so that no signal can leave it taken.
  const auto signals =
      SignalQueue::Open({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH});
  if (!signals) return ExitWith(signals.error());
  auto screen = FullScreen::Take(STDIN_FILENO, STDOUT_FILENO);
  if (!screen) return ExitWith(screen.error());
  while (true) {
    const auto tenants = TenantsNow();
    if (!tenants) {
      screen->GiveBack();
      return ExitWith(tenants.error());
    }
    std::vector<std::string> lines = Picture(*tenants, platform::SizeOf(STDOUT_FILENO));
    EmphasizeHeader(lines);
    screen->Show(lines);
    if (const auto exit_code = WaitForNext(*screen, *signals, milliseconds))
      return *exit_code == 128 + SIGINT ? kSuccess : *exit_code;
  }
}

int StreamJson(const TopOptions& options, int milliseconds) {
  const auto signals = SignalQueue::Open({SIGINT, SIGTERM});
  if (!signals) return ExitWith(signals.error());
  while (true) {
    if (const int failed = ShowOnce(options); failed != kSuccess) return failed;
    if (std::fflush(stdout) != 0) return kFailure;
    if (signals->Next(milliseconds)) return kSuccess;
  }
}

}  // namespace

int Top(const TopOptions& options) {
  constexpr double kDefaultSeconds = 1;
  const int milliseconds =
      static_cast<int>(options.interval_seconds.value_or(kDefaultSeconds) * 1000);
  if (options.once) return ShowOnce(options);
  if (options.json)
    return options.interval_seconds ? StreamJson(options, milliseconds) : ShowOnce(options);
  if (!platform::IsTerminal(STDOUT_FILENO) || !platform::IsTerminal(STDIN_FILENO))
    return ShowOnce(options);
  return ShowLive(milliseconds);
}

}  // namespace warpshare::app
