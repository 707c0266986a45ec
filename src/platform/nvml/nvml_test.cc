#include "platform/nvml/nvml.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "platform/nvml/card_events.h"
#include "platform/nvml/card_links.h"
#include "platform/nvml/question.h"

namespace warpshare::platform {
namespace {

using namespace std::chrono_literals;

class NvmlTest : public testing::Test {
 protected:
  ~NvmlTest() override { unsetenv("FAKE_NVML"); }

  static Result<CardList> ListWith(const char* told) {
    setenv("FAKE_NVML", told, 1);
    return ListCards(FAKE_NVML_FOLDER);
  }

  // Card 1 hangs while the file is there.
  void BeginToHang() {
    char pattern[] = "/tmp/nvml_test.XXXXXX";
    close(mkstemp(pattern));
    file_ = pattern;
    setenv("FAKE_NVML", ("hangs:" + file_).c_str(), 1);
  }
  void EndHanging() {
    std::filesystem::remove(file_);
    while (IsDriverAsked()) std::this_thread::yield();
  }

  std::string file_;
};

TEST_F(NvmlTest, ListsTheCardsWithWhatTheyHave) {
  const auto cards = ListWith("");
  ASSERT_TRUE(cards) << cards.error().message;
  ASSERT_EQ(cards->cards.size(), 3u);
  EXPECT_EQ(cards->cards[1].index, 1u);
  EXPECT_EQ(cards->cards[1].uuid.Text(), "GPU-00000002-0000-0000-0000-000000000000");
  EXPECT_EQ(cards->cards[1].total, 2_GiB);
  EXPECT_EQ(cards->cards[1].used, 4096_B);
  EXPECT_TRUE(cards->unreadable.empty());
}

// The signals that each of the program's threads of that name blocks, as masks.
std::vector<uint64_t> BlockedBy(const std::string& thread) {
  std::vector<uint64_t> masks;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name != thread) continue;
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigBlk:")) masks.push_back(std::stoull(line.substr(7), nullptr, 16));
  }
  return masks;
}

// NVML 580 keeps such a thread: it took the SIGCHLD that `warpshare run` waits for, now and then.
TEST_F(NvmlTest, LeavesTheProgramsSignalsToTheProgramWhateverThreadsTheDriverStarts) {
  const auto cards = ListWith("threaded");
  ASSERT_TRUE(cards);
  ASSERT_TRUE(ListLinks(FAKE_NVML_FOLDER, cards->cards));
  ASSERT_TRUE(CardEvents::Open(FAKE_NVML_FOLDER));
  const auto blocked = BlockedBy("fake-driver");
  ASSERT_EQ(blocked.size(), 3u);
  for (const uint64_t mask : blocked)
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGWINCH})
      EXPECT_TRUE(mask >> (signal - 1) & 1) << signal;
}

TEST_F(NvmlTest, DisarmsNames) { EXPECT_EQ(ListWith("")->cards.at(2).name, "Fake? 2"); }

TEST_F(NvmlTest, ListsNothingOnAMachineWithoutCards) {
  EXPECT_TRUE(ListWith("none")->cards.empty());
}

TEST_F(NvmlTest, PassesOnWhatTheDriverSays) {
  EXPECT_EQ(ListWith("no-driver").error().message,
            "cannot ask for the cards: the driver says 'Driver Not Loaded': run: warpshare doctor");
  const auto nameless = ListWith("bad-uuid");
  ASSERT_EQ(nameless->unreadable.size(), 3u);
  EXPECT_EQ(nameless->unreadable[0].reason.code, Errc::kCorrupt);
}

TEST_F(NvmlTest, LeavesOutACardThatCannotBeReadAndNoOther) {
  for (const char* how : {"lost", "forgetful"}) {
    const auto list = ListWith(how);
    ASSERT_TRUE(list) << list.error().message;
    ASSERT_EQ(list->cards.size(), 2u);
    EXPECT_EQ(list->cards[1].index, 2u);
    ASSERT_EQ(list->unreadable.size(), 1u);
    EXPECT_EQ(list->unreadable[0].index, 1u);
    EXPECT_EQ(list->unreadable[0].uuid.has_value(), std::string(how) == "forgetful");
    EXPECT_EQ(list->unreadable[0].reason.message,
              "cannot read card 1: the driver says 'GPU is lost'");
  }
}

TEST_F(NvmlTest, ACardThatHangsHoldsUpNoOther) {
  BeginToHang();
  const auto list = ListCards(FAKE_NVML_FOLDER, 200ms);
  EXPECT_TRUE(IsDriverAsked()) << "it is asked still";
  EndHanging();
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_EQ(list->cards.size(), 2u);
  EXPECT_EQ(list->cards[1].index, 2u);
  ASSERT_EQ(list->unreadable.size(), 1u);
  EXPECT_EQ(list->unreadable[0].index, 1u);
  EXPECT_EQ(list->unreadable[0].reason.message,
            "cannot read card 1: it has not answered within 200 ms");
}

TEST_F(NvmlTest, ACardThatHangsKeepsTheLinksNotForEver) {
  const auto cards = ListWith("");
  ASSERT_TRUE(cards);
  BeginToHang();
  EXPECT_FALSE(ListLinks(FAKE_NVML_FOLDER, cards->cards, 200ms));
  EndHanging();
}

TEST_F(NvmlTest, ACardIsAskedPastOneThatHangs) {
  const auto cards = ListWith("");
  ASSERT_TRUE(cards);
  BeginToHang();
  const auto events = CardEvents::Open(FAKE_NVML_FOLDER);
  ASSERT_TRUE(events) << events.error().message;
  EXPECT_EQ((*events)->Ask(cards->cards[0]), 4096_B);
  EXPECT_EQ((*events)->Ask(cards->cards[2]), 4096_B);
  EndHanging();
  EXPECT_EQ((*events)->Ask(cards->cards[1]), 4096_B);
}

TEST_F(NvmlTest, NamesTheFileThatItCannotLoad) {
  const auto cards = ListCards("/no/such/folder");
  ASSERT_FALSE(cards);
  EXPECT_NE(cards.error().message.find("/no/such/folder/libnvidia-ml.so.1"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::platform
