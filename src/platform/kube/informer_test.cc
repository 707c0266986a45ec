#include "platform/kube/informer.h"

#include <gtest/gtest.h>

#include <map>

#include "platform/kube/fake/kube_test.h"

namespace warpshare::kube {
namespace {

using std::chrono::milliseconds;

class InformerTest : public KubeTest {
 protected:
  void Inform(InformerOptions options = {.resource = kPods}) {
    options.shortest_pause = milliseconds(2);
    options.longest_pause = milliseconds(8);
    informer_ = std::make_unique<Informer>(
        *client_, options,
        InformerEvents{.set =
                           [this](const ObjectName& name, json::View object) {
                             known_[name.Text()] = object["metadata"]["uid"].StringOr("");
                             marks_[name.Text()] = object["mark"].StringOr("");
                             ++sets_;
                           },
                       .removed = [this](const ObjectName& name) { known_.erase(name.Text()); },
                       .synced = [this] { ++synced_; },
                       .trouble = [this](const Error& error) { troubles_.push_back(error); }});
    informer_->Start();
  }

  [[nodiscard]] bool UntilWatching() {
    return Until([&] { return informer_->is_synced() && server_.watches() > 0; });
  }

  std::unique_ptr<Informer> informer_;
  std::map<std::string, std::string> known_;
  std::map<std::string, std::string> marks_;
  std::vector<Error> troubles_;
  int sets_ = 0, synced_ = 0;
};

TEST_F(InformerTest, TellsWhatIsThereAndThenWhatChanges) {
  server_.Create(kPods, "d", Pod("old"));
  Inform();
  ASSERT_TRUE(UntilWatching());
  EXPECT_EQ(known_.count("d/old"), 1u);
  EXPECT_EQ(synced_, 1);
  server_.Create(kPods, "e", Pod("new"));
  ASSERT_TRUE(Until([&] { return known_.size() == 2; }));
  server_.Merge(kPods, {"d", "old"}, R"({"mark":"seen"})");
  ASSERT_TRUE(Until([&] { return marks_["d/old"] == "seen"; }));
  server_.Delete(kPods, {"d", "old"});
  ASSERT_TRUE(Until([&] { return known_.size() == 1; }));
  EXPECT_EQ(informer_->size(), 1u);
  EXPECT_EQ(server_.Asked("GET /api/v1/pods"), 1u);
  EXPECT_TRUE(troubles_.empty());
}

TEST_F(InformerTest, ReadsALongListInPages) {
  for (int i = 0; i < 25; ++i) server_.Create(kPods, "d", Pod("p" + std::to_string(i)));
  Inform({.resource = kPods, .page = 10});
  ASSERT_TRUE(UntilWatching());
  EXPECT_EQ(known_.size(), 25u);
  EXPECT_EQ(sets_, 25);
  EXPECT_EQ(server_.Asked("GET /api/v1/pods"), 3u);
}

TEST_F(InformerTest, SeesOnlyWhatIsSelected) {
  server_.Create(kPods, "d", R"({"metadata":{"name":"a"},"spec":{"nodeName":"n1"}})");
  server_.Create(kPods, "d", R"({"metadata":{"name":"b"},"spec":{"nodeName":"n2"}})");
  Inform({.resource = kPods, .selector = {.labels = "", .fields = "spec.nodeName=n1"}});
  ASSERT_TRUE(UntilWatching());
  server_.Create(kPods, "d", R"({"metadata":{"name":"c"},"spec":{"nodeName":"n1"}})");
  ASSERT_TRUE(Until([&] { return known_.contains("d/c"); }));
  EXPECT_FALSE(known_.contains("d/b"));
}

TEST_F(InformerTest, GoesOnWhereAWatchEnded) {
  server_.Create(kPods, "d", Pod("a"));
  Inform();
  ASSERT_TRUE(UntilWatching());
  server_.CutWatches();
  server_.Create(kPods, "d", Pod("b"));  // while nobody watches
  ASSERT_TRUE(Until([&] { return known_.size() == 2; }));
  EXPECT_EQ(server_.Asked("GET /api/v1/pods"), 1u);
  EXPECT_EQ(sets_, 2);
}

TEST_F(InformerTest, ListsAgainWhenTheHistoryIsForgotten) {
  server_.Create(kPods, "d", Pod("stays"));
  server_.Create(kPods, "d", Pod("goes"));
  Inform();
  ASSERT_TRUE(UntilWatching());
  server_.CutWatches();
  server_.Delete(kPods, {"d", "goes"});
  server_.Create(kPods, "d", Pod("comes"));
  server_.ForgetHistory();
  ASSERT_TRUE(Until([&] { return synced_ == 2; }));
  EXPECT_TRUE(known_.contains("d/stays"));
  EXPECT_TRUE(known_.contains("d/comes"));
  EXPECT_FALSE(known_.contains("d/goes"));
  ASSERT_FALSE(troubles_.empty());
}

TEST_F(InformerTest, NeedsNoListAfterABookmark) {
  server_.Create(kPods, "d", Pod("a"));
  Inform();
  ASSERT_TRUE(UntilWatching());
  for (int i = 0; i < 3; ++i) server_.Create(kNodes, "", Pod("n" + std::to_string(i)));
  server_.SendBookmarks();
  ASSERT_TRUE(
      Until([&] { return informer_->resource_version() == std::to_string(server_.version()); }));
  server_.ForgetHistory();
  server_.CutWatches();
  server_.Create(kPods, "d", Pod("b"));
  ASSERT_TRUE(Until([&] { return known_.contains("d/b"); }));
  EXPECT_EQ(server_.Asked("GET /api/v1/pods"), 1u);
}

TEST_F(InformerTest, TellsNextToNothingTwiceWhenTheServerComesBack) {
  server_.Create(kPods, "d", Pod("a"));
  Inform();
  ASSERT_TRUE(UntilWatching());
  server_.Stop();
  server_.Create(kPods, "d", Pod("b"));
  ASSERT_TRUE(Until([&] { return troubles_.size() >= 3; }));
  server_.Restart();
  ASSERT_TRUE(Until([&] { return known_.contains("d/b"); }));
  EXPECT_EQ(sets_, 2);
}

TEST_F(InformerTest, BeginsAgainWhenAListFailsHalfway) {
  for (int i = 0; i < 15; ++i) server_.Create(kPods, "d", Pod("p" + std::to_string(i)));
  Inform({.resource = kPods, .page = 10});
  ASSERT_TRUE(Until([&] { return sets_ == 10; }));
  server_.FailNext(2, 503);
  ASSERT_TRUE(UntilWatching());
  EXPECT_EQ(known_.size(), 15u);
  EXPECT_EQ(troubles_.size(), 2u);
}

TEST_F(InformerTest, LeavesAWatchThatHasGoneQuiet) {
  Inform({.resource = kPods, .quiet_time = milliseconds(20)});
  ASSERT_TRUE(Until([&] { return !troubles_.empty(); }));
  EXPECT_NE(troubles_[0].message.find("quiet"), std::string::npos);
  ASSERT_TRUE(UntilWatching());
}

TEST_F(InformerTest, TellsOfAnObjectThatWasMadeAnewUnderItsName) {
  server_.Create(kPods, "d", Pod("p"));
  Inform();
  ASSERT_TRUE(UntilWatching());
  const std::string before = known_["d/p"];
  server_.Delete(kPods, {"d", "p"});
  server_.Create(kPods, "d", Pod("p"));
  ASSERT_TRUE(Until([&] { return known_.contains("d/p") && known_["d/p"] != before; }));
}

TEST_F(InformerTest, MayBeDestroyedByItsOwnEvents) {
  for (int i = 0; i < 3; ++i) server_.Create(kPods, "d", Pod("p" + std::to_string(i)));
  int sets = 0;
  informer_ = std::make_unique<Informer>(*client_, InformerOptions{.resource = kPods},
                                         InformerEvents{.set =
                                                            [&](const ObjectName&, json::View) {
                                                              ++sets;
                                                              informer_.reset();
                                                            },
                                                        .removed = [](const ObjectName&) {}});
  informer_->Start();
  ASSERT_TRUE(Until([&] { return informer_ == nullptr; }));
  EXPECT_EQ(sets, 1);
}

}  // namespace
}  // namespace warpshare::kube
