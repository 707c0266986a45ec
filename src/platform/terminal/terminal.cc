#include "platform/terminal/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace warpshare::platform {

namespace {

// xterm's, understood by every terminal in use: alternate page, cursor, clear, move.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[2J";
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";
constexpr std::string_view kHome = "\x1b[H";
constexpr std::string_view kClearLine = "\x1b[K";
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::string_view kClearBelow = "\x1b[J";

// A terminal that went away cannot be mended here.
void Write(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    text.remove_prefix(static_cast<size_t>(put));
  }
}

}  // namespace

bool IsTerminal(int fd) { return isatty(fd) == 1; }

bool CanBeDrawnOn(int fd) {
  const char* kind = std::getenv("TERM");
  return IsTerminal(fd) && (kind == nullptr || std::string_view(kind) != "dumb");
}

TerminalSize SizeOf(int fd) {
  winsize size = {};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
    return {.rows = 24, .columns = 80};
  return {.rows = size.ws_row, .columns = size.ws_col};
}

Result<FullScreen> FullScreen::Take(int in, int out) {
  termios original = {};
  if (tcgetattr(in, &original) != 0) return Fail(SystemError("cannot use the terminal", errno));
  FullScreen screen(in, out, original);
  screen.TakeAgain();
  return screen;
}

FullScreen::FullScreen(FullScreen&& other) noexcept
    : in_(other.in_),
      out_(other.out_),
      original_(other.original_),
      taken_(std::exchange(other.taken_, false)) {}

void FullScreen::TakeAgain() {
  termios keys = original_;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  tcsetattr(in_, TCSADRAIN, &keys);
  Write(out_, kEnter);
  taken_ = true;
}

void FullScreen::GiveBack() {
  if (!std::exchange(taken_, false)) return;
  Write(out_, kLeave);
  tcsetattr(in_, TCSADRAIN, &original_);
}

void FullScreen::Show(const std::vector<std::string>& lines) const {
  // In one write, so that no half-drawn screen is seen; no line break after the last row, which
  // would scroll.
  std::string text(kHome);
  const size_t count = std::min(lines.size(), SizeOf(out_).rows);
  for (size_t i = 0; i < count; ++i) {
    if (i != 0) text += "\r\n";
    // Cleared first: behind a line that ends in the last column, the cursor still stands on its
    // end.
    text.append(kClearLine).append(lines[i]).append(kPlain);
  }
  Write(out_, text.append(kClearBelow));
}

std::optional<char> FullScreen::Key() const {
  struct pollfd ready = {in_, POLLIN, 0};
  if (poll(&ready, 1, 0) <= 0) return std::nullopt;
  char key = 0;
  return read(in_, &key, 1) == 1 ? key : kEndOfKeys;
}

void FullScreen::DropKeys() const {
  while (const auto key = Key())
    if (*key == kEndOfKeys) return;
}

}  // namespace warpshare::platform
