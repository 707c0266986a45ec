// A terminal used as a full screen.
#pragma once

#include <termios.h>

#include <optional>
#include <string>
#include <vector>

#include "result/result.h"

namespace warpshare::platform {

bool IsTerminal(int fd);

// Not where TERM says that it knows no sequences, as in an editor's shell.
bool CanBeDrawnOn(int fd);

struct TerminalSize {
  size_t rows;
  size_t columns;
};

// 24 x 80 when the terminal does not say.
TerminalSize SizeOf(int fd);

// Takes the screen: the other page of it, no cursor, keys one at a time and unseen. ^C and the
// other keys of the terminal driver still send their signals. The screen is given back by the
// destructor; a program that ends by a signal must come there (platform/process/signal_queue.h).
class FullScreen {
 public:
  // Writes to `out`, reads keys from `in`; both are terminals.
  static Result<FullScreen> Take(int in, int out);
  FullScreen(FullScreen&& other) noexcept;
  ~FullScreen() { GiveBack(); }

  // For the time that the program is stopped as a job.
  void GiveBack();
  void TakeAgain();

  // Replaces what is shown by the lines that fit. A line holds printable text and SGR sequences
  // only, and is no wider than the screen.
  void Show(const std::vector<std::string>& lines) const;

  // A key that has been pressed; none if there is none, kEndOfKeys if there will be none any more.
  static constexpr char kEndOfKeys = '\x04';
  std::optional<char> Key() const;

  // Those that have been pressed and not been asked for.
  void DropKeys() const;

 private:
  FullScreen(int in, int out, const termios& original) : in_(in), out_(out), original_(original) {}

  int in_;
  int out_;
  termios original_;
  bool taken_ = false;
};

}  // namespace warpshare::platform
