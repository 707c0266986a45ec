#include "interposer/accounts/seen.h"

#include <gtest/gtest.h>

#include <memory>

namespace warpshare::interposer {
namespace {

TEST(Seen, KnowsWhatCameLastToAPlaceAndNothingElse) {
  const auto seen = std::make_unique<Seen>();
  EXPECT_FALSE(seen->Has(1));
  uint64_t known = 0;
  for (uint64_t key = 1; key <= 10'000; ++key) {
    seen->Add(key);
    EXPECT_TRUE(seen->Has(key));
  }
  for (uint64_t key = 1; key <= 10'000; ++key) known += seen->Has(key) ? 1 : 0;
  EXPECT_GT(known, 500u);
  EXPECT_LE(known, 1024u);
  EXPECT_FALSE(seen->Has(10'001));
}

TEST(Seen, DropsAKeyAndNotWhatTookItsPlace) {
  const auto seen = std::make_unique<Seen>();
  seen->Add(7);
  seen->Drop(7);
  EXPECT_FALSE(seen->Has(7));
  uint64_t other = 8;
  for (;; ++other) {  // the first that has the same place
    seen->Add(7);
    seen->Add(other);
    if (!seen->Has(7)) break;
  }
  seen->Drop(7);
  EXPECT_TRUE(seen->Has(other));
}

TEST(Seen, ForgetsAllAtOnce) {
  const auto seen = std::make_unique<Seen>();
  seen->Add(7);
  seen->Clear();
  EXPECT_FALSE(seen->Has(7));
}

// As functions of a program are: every 64 bytes of a heap.
TEST(Seen, HoldsTheFunctionsOfAProgramBesideEachOther) {
  const auto seen = std::make_unique<Seen>();
  constexpr uint64_t kFirst = 0x7f12'3456'7000;
  for (uint64_t i = 0; i < 256; ++i) seen->Add(kFirst + 64 * i);
  int known = 0;
  for (uint64_t i = 0; i < 256; ++i) known += seen->Has(kFirst + 64 * i) ? 1 : 0;
  EXPECT_GT(known, 220);
}

}  // namespace
}  // namespace warpshare::interposer
