#include "apps/warpshare/top_command.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "apps/warpshare/complaint.h"
#include "apps/warpshare/compute_text.h"
#include "apps/warpshare/ps_command.h"
#include "apps/warpshare/tenant_text.h"
#include "platform/clock/clock.h"
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
std::vector<std::string> Picture(const Observation* before, const Observation& now,
                                 platform::TerminalSize size) {
  std::vector<std::string> lines = {Title(now.tenants)};
  const auto add = [&lines](std::vector<std::string> table) {
    std::ranges::move(table, std::back_inserter(lines));
  };
  add(CardTable(now.tenants, size.columns));
  lines.emplace_back();
  // What moves comes first: the screen may end before the processes do.
  if (auto table = ComputeTable(before, now, size.columns); !table.empty()) {
    add(std::move(table));
    lines.emplace_back();
  }
  add(TenantTable(now.tenants, size.columns));
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

void Show(const TopOptions& options, const Observation* before, const Observation& now) {
  if (options.json) {
    std::puts(TenantJson(before, now).c_str());
    return;
  }
  for (const std::string& line : Picture(before, now, {.rows = 0, .columns = 0}))
    std::puts(line.c_str());
}

bool IsAnyoneHeldBack(const Observation& now) {
  return std::ranges::any_of(now.tenants, [](const TenantReport& tenant) {
    return std::ranges::any_of(tenant.cards,
                               [](const auto& card) { return card.compute.limit.has_value(); });
  });
}

// Rates take two looks; where nobody is held back there are none to be shown.
int ShowOnce(const TopOptions& options, int milliseconds) {
  const auto before = ObserveTenants();
  if (!before) return ExitWith(before.error());
  if (!IsAnyoneHeldBack(*before)) {
    Show(options, nullptr, *before);
    return kSuccess;
  }
  platform::SystemClock().Sleep(std::chrono::milliseconds(milliseconds));
  const auto now = ObserveTenants();
  if (!now) return ExitWith(now.error());
  Show(options, &*before, *now);
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

bool IsQuit(char key, const FullScreen& screen) {
  constexpr char kEscape = '\x1b';
  if (key != kEscape) return key == 'q' || key == 'Q' || key == FullScreen::kEndOfKeys;
  // An arrow or a function key sends more at once.
  const auto more = screen.Key();
  if (more && *more != FullScreen::kEndOfKeys) screen.DropKeys();
  return !more || *more == FullScreen::kEndOfKeys;
}

// Waits for the next picture; an exit code when there is to be none.
std::optional<int> WaitForNext(FullScreen& screen, const SignalQueue& signals, int milliseconds) {
  const auto signal = signals.Next(milliseconds, STDIN_FILENO);
  if (signal && IsEnd(*signal)) return 128 + signal->number;
  if (signal && signal->number == SIGTSTP) Pause(screen);
  while (const auto key = screen.Key())
    if (IsQuit(*key, screen)) return kSuccess;
  return std::nullopt;
}

int ShowLive(int milliseconds) {
  // Before the screen is taken, so that no signal can leave it taken.
  const auto signals =
      SignalQueue::Open({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH});
  if (!signals) return ExitWith(signals.error());
  auto screen = FullScreen::Take(STDIN_FILENO, STDOUT_FILENO);
  if (!screen) return ExitWith(screen.error());
  std::optional<Observation> before;
  while (true) {
    auto now = ObserveTenants();
    if (!now) {
      screen->GiveBack();
      return ExitWith(now.error());
    }
    std::vector<std::string> lines =
        Picture(before ? &*before : nullptr, *now, platform::SizeOf(STDOUT_FILENO));
    before = std::move(*now);
    EmphasizeHeader(lines);
    screen->Show(lines);
    if (const auto exit_code = WaitForNext(*screen, *signals, milliseconds))
      return *exit_code == 128 + SIGINT ? kSuccess : *exit_code;
  }
}

int StreamJson(const TopOptions& options, int milliseconds) {
  const auto signals = SignalQueue::Open({SIGINT, SIGTERM});
  if (!signals) return ExitWith(signals.error());
  std::optional<Observation> before;
  while (true) {
    auto now = ObserveTenants();
    if (!now) return ExitWith(now.error());
    Show(options, before ? &*before : nullptr, *now);
    before = std::move(*now);
    if (std::fflush(stdout) != 0) return kFailure;
    if (signals->Next(milliseconds)) return kSuccess;
  }
}

}  // namespace

int Top(const TopOptions& options) {
  constexpr double kDefaultSeconds = 1;
  constexpr double kDefaultSecondsOnce = 0.5;  // somebody waits for it
  const bool is_live = !options.once && !options.json && platform::CanBeDrawnOn(STDOUT_FILENO) &&
                       platform::IsTerminal(STDIN_FILENO);
  const bool is_stream = !options.once && options.json && options.interval_seconds;
  const double seconds =
      options.interval_seconds.value_or(is_live ? kDefaultSeconds : kDefaultSecondsOnce);
  const int milliseconds = static_cast<int>(seconds * 1000);
  if (is_live) return ShowLive(milliseconds);
  return is_stream ? StreamJson(options, milliseconds) : ShowOnce(options, milliseconds);
}

}  // namespace warpshare::app
