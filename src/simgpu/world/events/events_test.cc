#include "simgpu/world/events.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "simgpu/world/sync/clock.h"
#include "simgpu/world/testing/temp_world.h"

namespace simgpu::world {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

TEST(Events, ReachEveryReaderOnce) {
  const TempWorld temp;
  const auto a = temp.Open();
  const auto b = temp.Open();
  EXPECT_EQ(a->events().Last(), 0u);
  EXPECT_FALSE(a->events().Next(0, NowNs()));
  a->events().Inject(1, 79);
  a->events().Inject(0, 31);
  for (World* world : {a.get(), b.get()}) {
    const auto first = world->events().Next(0, NowNs());
    ASSERT_TRUE(first);
    EXPECT_EQ(first->card, 1);
    EXPECT_EQ(first->xid, 79u);
    const auto second = world->events().Next(first->number, NowNs());
    EXPECT_EQ(second->xid, 31u);
    EXPECT_FALSE(world->events().Next(second->number, NowNs()));
  }
}

TEST(Events, WakeAWaitingReader) {
  const TempWorld temp;
  const auto world = temp.Open();
  std::thread injector([&] { temp.Open()->events().Inject(0, 48); });
  const auto event = world->events().Next(0, NowNs() + 30 * kSecond);
  injector.join();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->xid, 48u);
}

TEST(Events, KeepTheLast256) {
  const TempWorld temp;
  const auto world = temp.Open();
  for (uint32_t i = 1; i <= 300; ++i) world->events().Inject(0, i);
  const auto oldest = world->events().Next(0, NowNs());
  EXPECT_EQ(oldest->number, 45u);
  EXPECT_EQ(oldest->xid, 45u);
  EXPECT_EQ(world->events().Next(299, NowNs())->xid, 300u);
}

TEST(Events, ComeAtTheTimesTheScenarioSays) {
  const TempWorld temp;
  const std::string path = temp.directory() + "/faults";
  std::ofstream(path) << "[card 1]\nxid = 62 after 40ms\n[card 0]\nxid = 31 after 20ms\n"
                         "xid = 13 after 300s\n";
  const auto world = temp.Open({.file = path});
  const auto first = world->events().Next(0, NowNs() + 30 * kSecond);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->card, 0);
  EXPECT_EQ(first->xid, 31u);
  EXPECT_EQ(first->at_ns, world->created_ns() + 20'000'000);
  EXPECT_GE(NowNs(), first->at_ns);
  const auto second = world->events().Next(first->number, NowNs() + 30 * kSecond);
  EXPECT_EQ(second->card, 1);
  EXPECT_EQ(second->at_ns, world->created_ns() + 40'000'000);
  const auto again = temp.Open({});  // a later process sees the same two
  EXPECT_EQ(again->events().Last(), 2u);
  EXPECT_FALSE(again->events().Next(2, NowNs()));
}

}  // namespace
}  // namespace simgpu::world
