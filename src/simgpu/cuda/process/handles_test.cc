#include "simgpu/cuda/handles.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

struct CUstream_st;

namespace simgpu::cuda {
namespace {

struct Thing : Handled<Thing, CUstream_st*, HandleKind::kTexture> {
  using Handled::Retract;
};

TEST(Handles, NameTheirObjectUntilItGoes) {
  auto* thing = new Thing;
  CUstream_st* const handle = thing->handle();
  EXPECT_EQ(Thing::From(handle), thing);
  delete thing;
  EXPECT_EQ(Thing::From(handle), nullptr);
}

TEST(Handles, OfAnotherKindAreRefused) {
  const Thing thing;
  EXPECT_EQ(ObjectOf(HandleKind::kEvent, thing.handle()), nullptr);
}

TEST(Handles, MadeUpValuesAreRefusedWithoutBeingRead) {
  const Thing thing;
  const auto valid = reinterpret_cast<uintptr_t>(thing.handle());
  for (const uintptr_t value : {uintptr_t{0}, uintptr_t{1}, uintptr_t{2}, uintptr_t{0xdeadbeef},
                                valid + 1, valid + 8, UINTPTR_MAX, uintptr_t{1} << 47}) {
    EXPECT_EQ(Thing::From(reinterpret_cast<CUstream_st*>(value)), nullptr) << value;
  }
}

TEST(Handles, StaleOnesStayInvalidForLong) {
  auto* gone = new Thing;
  CUstream_st* const stale = gone->handle();
  delete gone;
  for (int i = 0; i < 1000; ++i) {
    const Thing next;
    EXPECT_NE(next.handle(), stale);
  }
}

TEST(Handles, AreUniqueAcrossThreads) {
  std::vector<std::vector<std::unique_ptr<Thing>>> made(4);
  std::vector<std::thread> threads;
  for (auto& mine : made) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < 1000; ++i) mine.push_back(std::make_unique<Thing>());
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<void*> handles;
  for (const auto& mine : made) {
    for (const auto& thing : mine) handles.insert(thing->handle());
  }
  EXPECT_EQ(handles.size(), 4000u);
  EXPECT_EQ(LiveHandles(HandleKind::kTexture), 4000u);
}

}  // namespace
}  // namespace simgpu::cuda
