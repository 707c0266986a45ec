#include "platform/terminal/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace warpshare::platform {
namespace {

class TerminalTest : public testing::Test {
 protected:
  TerminalTest() {
    winsize size = {.ws_row = 3, .ws_col = 20, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(openpty(&outside_, &inside_, nullptr, nullptr, &size), 0);
    fcntl(outside_, F_SETFL, O_NONBLOCK);
  }
  ~TerminalTest() override {
    close(outside_);
    close(inside_);
  }

  std::string Shown() const {
    char text[4096];
    const ssize_t got = read(outside_, text, sizeof(text));
    return got > 0 ? std::string(text, static_cast<size_t>(got)) : "";
  }

  tcflag_t LocalModes() const {
    termios modes = {};
    tcgetattr(inside_, &modes);
    return modes.c_lflag;
  }

  int outside_ = -1;
  int inside_ = -1;
};

TEST_F(TerminalTest, KnowsItsSizeAlsoAfterAChange) {
  EXPECT_EQ(SizeOf(inside_).rows, 3u);
  const winsize size = {.ws_row = 50, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(outside_, TIOCSWINSZ, &size);
  EXPECT_EQ(SizeOf(inside_).columns, 100u);
  EXPECT_EQ(SizeOf(-1).columns, 80u);
}

TEST_F(TerminalTest, GivesTheScreenBackAsItWas) {
  const tcflag_t before = LocalModes();
  {
    const auto screen = FullScreen::Take(inside_, inside_);
    ASSERT_TRUE(screen);
    EXPECT_EQ(LocalModes() & (ICANON | ECHO), 0u);
    EXPECT_NE(LocalModes() & ISIG, 0u);
    EXPECT_NE(Shown().find("\x1b[?1049h"), std::string::npos);
  }
  EXPECT_EQ(LocalModes(), before);
  EXPECT_EQ(Shown(), "\x1b[?25h\x1b[?1049l");
}

TEST_F(TerminalTest, ShowsNoMoreLinesThanThereAreRows) {
  const auto screen = FullScreen::Take(inside_, inside_);
  (void)Shown();
  screen->Show({"one", "two", "three", "four"});
  const std::string shown = Shown();
  EXPECT_NE(shown.find("three"), std::string::npos);
  EXPECT_EQ(shown.find("four"), std::string::npos);
}

TEST_F(TerminalTest, LeavesALineThatFillsItsRowWhole) {
  const auto screen = FullScreen::Take(inside_, inside_);
  (void)Shown();
  screen->Show({"whole"});
  const std::string shown = Shown();
  EXPECT_LT(shown.find("\x1b[K"), shown.find("whole")) << "what clears comes first";
}

TEST_F(TerminalTest, GivesKeysOneByOneWithoutWaiting) {
  const auto screen = FullScreen::Take(inside_, inside_);
  EXPECT_EQ(screen->Key(), std::nullopt);
  ASSERT_EQ(write(outside_, "ab", 2), 2);
  EXPECT_EQ(screen->Key(), 'a');
  EXPECT_EQ(screen->Key(), 'b');
  EXPECT_EQ(screen->Key(), std::nullopt);
  ASSERT_EQ(write(outside_, "\x1b[A", 3), 3);
  screen->DropKeys();
  EXPECT_EQ(screen->Key(), std::nullopt);
}

TEST_F(TerminalTest, SaysThatNoMoreKeysWillCome) {
  const auto screen = FullScreen::Take(inside_, inside_);
  close(outside_);
  EXPECT_EQ(screen->Key(), FullScreen::kEndOfKeys);
  outside_ = -1;
}

TEST_F(TerminalTest, IsNoPipe) {
  EXPECT_TRUE(IsTerminal(inside_));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(IsTerminal(ends[0]));
  EXPECT_FALSE(FullScreen::Take(ends[0], ends[1]));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace warpshare::platform
