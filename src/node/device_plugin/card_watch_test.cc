#include "node/device_plugin/card_watch.h"

#include <filesystem>
#include <fstream>

#include "node/device_plugin/fake/plugin_fixture.h"
#include "platform/clock/fake/fake_clock.h"

namespace warpshare::node {
namespace {

using namespace std::chrono_literals;

class CardWatchTest : public PluginFixture {
 protected:
  // A daemon that starts.
  void Start() {
    watch_ = std::make_unique<CardWatch>(
        cards_,
        CardWatch::Ports{.events = shared_events_, .notes = *notes_, .clock = time_, .log = log_});
  }
  void Fault(uint64_t xid) {
    events_.Put({.card = cards_[0].uuid, .xid = xid});
    watch_->Look(0ms);
  }
  // Probes are made meanwhile.
  void Pass(std::chrono::seconds seconds) {
    for (auto left = seconds; left > 0s; left -= 5s) {
      time_.Sleep(5s);
      watch_->Look(0ms);
    }
  }
  bool IsHealthy(size_t card) { return watch_->Cards().at(card).is_healthy; }
  std::optional<Bytes> Used(size_t card) { return watch_->Cards().at(card).used; }
  std::string NotePath() { return root_ + "/state/to-be-reset/" + cards_[0].uuid.Text(); }

  platform::FakeClock time_;
  std::unique_ptr<CardWatch> watch_;
};

TEST_F(CardWatchTest, ACardThatIsToBeResetStaysSoWhenTheDaemonStartsAgain) {
  Start();
  Fault(48);
  EXPECT_FALSE(IsHealthy(0));
  Start();
  EXPECT_FALSE(IsHealthy(0));
  EXPECT_TRUE(IsHealthy(1));
  Pass(600s);
  EXPECT_FALSE(IsHealthy(0));
  EXPECT_TRUE(log_.Has("reason=\"XID 48: to be reset\""));
}

TEST_F(CardWatchTest, APassingFaultIsNotRemembered) {
  Start();
  Fault(74);
  EXPECT_FALSE(IsHealthy(0));
  Start();
  EXPECT_TRUE(IsHealthy(0));
}

TEST_F(CardWatchTest, AResetThatIsSeenIsForgottenOnDiskToo) {
  Start();
  Fault(48);
  ASSERT_TRUE(std::filesystem::exists(NotePath()));
  events_.SetAnswers(false);
  Pass(5s);
  EXPECT_FALSE(std::filesystem::exists(NotePath()));
  events_.SetAnswers(true);
  Pass(60s);
  EXPECT_TRUE(IsHealthy(0));
}

TEST_F(CardWatchTest, WhoRemovesTheNoteSaysThatTheCardWasReset) {
  Start();
  Fault(48);
  std::filesystem::remove(NotePath());
  Pass(5s);
  EXPECT_FALSE(IsHealthy(0)) << "it is still to be quiet for a while";
  Pass(30s);
  EXPECT_TRUE(IsHealthy(0));
}

TEST_F(CardWatchTest, AFaultWhoseNoteCannotBeWrittenStaysUntilTheEnd) {
  std::ofstream(root_ + "/state/to-be-reset") << "in the way";
  Start();
  Fault(48);
  Pass(600s);
  EXPECT_FALSE(IsHealthy(0));
  EXPECT_TRUE(log_.Has("not noted"));
}

TEST_F(CardWatchTest, ANoteThatNobodyHereWroteIsNotBelieved) {
  std::filesystem::create_directories(root_ + "/state/to-be-reset");
  for (const char* text : {"", "48", "-1\n", "48 \n", "13\n", "99999999999999999999\n",
                           "48\n48\n48\n48\n48\n48\n48\n48\n48\n48\n48\n48\n"}) {
    std::ofstream(NotePath()) << text;
    Start();
    EXPECT_TRUE(IsHealthy(0)) << text;
  }
}

TEST_F(CardWatchTest, SaysWhatIsInUseAsOfTheLastProbe) {
  Start();
  EXPECT_EQ(Used(0), std::nullopt) << "nobody was asked";
  events_.SetUsed(3_GiB);
  watch_->Look(0ms);
  EXPECT_EQ(Used(0), 3_GiB);
  events_.SetUsed(5_GiB);
  watch_->Look(0ms);
  EXPECT_EQ(Used(0), 3_GiB) << "it is not time yet";
  Pass(5s);
  EXPECT_EQ(Used(0), 5_GiB);
}

TEST_F(CardWatchTest, ACardThatHangsIsUnwellAndTheOthersAreLookedAfter) {
  Start();
  watch_->Look(0ms);
  events_.Hang(cards_[0].uuid);
  Pass(5s);
  EXPECT_TRUE(IsHealthy(0)) << "it may only be slow";
  events_.SetUsed(5_GiB);
  Pass(10s);
  EXPECT_FALSE(IsHealthy(0));
  EXPECT_TRUE(log_.Has("reason=\"it does not answer: the driver hangs\""));
  EXPECT_EQ(Used(0), std::nullopt);
  EXPECT_TRUE(IsHealthy(1));
  EXPECT_EQ(Used(1), 5_GiB);
}

TEST_F(CardWatchTest, ACardThatHungComesBackAfterAWhileOfAnswers) {
  Start();
  watch_->Look(0ms);
  events_.Hang(cards_[0].uuid);
  Pass(15s);
  EXPECT_FALSE(IsHealthy(0));
  events_.Release();
  while (!Used(0)) watch_->Look(1ms);
  Pass(25s);
  EXPECT_FALSE(IsHealthy(0)) << "it is still to be quiet for a while";
  Pass(5s);
  EXPECT_TRUE(IsHealthy(0));
}

TEST_F(CardWatchTest, WhoHangsFromTheStartIsNeverToldOfAsWell) {
  events_.Hang(cards_[0].uuid);
  Start();
  watch_->Look(0ms);
  EXPECT_FALSE(IsHealthy(0));
  EXPECT_TRUE(IsHealthy(1));
}

TEST_F(CardWatchTest, FiguresAreLeftOutWhenNobodyLooksAnyMore) {
  Start();
  watch_->Look(0ms);
  EXPECT_TRUE(Used(0));
  time_.Sleep(16s);
  EXPECT_EQ(Used(0), std::nullopt);
}

TEST_F(CardWatchTest, ItsEndWaitsForNoCardThatHangs) {
  events_.Hang(cards_[0].uuid);
  Start();
  watch_->Look(0ms);
  watch_.reset();
  EXPECT_TRUE(platform::IsDriverAsked());
  EXPECT_GT(shared_events_.use_count(), 1) << "the question has what it asks still";
}

}  // namespace
}  // namespace warpshare::node
