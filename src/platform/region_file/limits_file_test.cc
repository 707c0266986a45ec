#include "platform/region_file/limits_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "abi/region/limits_page.h"
#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {
namespace {

class LimitsFileTest : public testing::Test {
 protected:
  LimitsFileTest() {
    char pattern[] = "/tmp/limits_file_test.XXXXXX";
    folder_ = mkdtemp(pattern);
    path_ = folder_ + "/limits";
  }
  ~LimitsFileTest() override { std::filesystem::remove_all(folder_); }

  static GpuUuid Uuid(uint8_t first) { return GpuUuid(std::array<uint8_t, 16>{first, 2, 3}); }

  Limits TwoCards() const {
    return {
        .tenant = "train",
        .cards = {{.uuid = Uuid(1), .memory = 4_GiB, .capacity = 40_GiB},
                  {.uuid = Uuid(9), .memory = std::nullopt, .capacity = 80_GiB, .compute = kSoft}}};
  }

  static constexpr ComputeTerms kSoft = {.mode = abi::ComputeMode::kSoft,
                                         .share_permille = 300,
                                         .weight = 2,
                                         .is_high = false,
                                         .burst_ns = 50'000'000,
                                         .latency_target_ns = 5'000'000};

  std::string folder_;
  std::string path_;
};

TEST_F(LimitsFileTest, ReadsBackWhatWasWritten) {
  ASSERT_TRUE(WriteLimitsFile(path_, TwoCards()));
  const auto limits = ReadLimitsFile(path_);
  ASSERT_TRUE(limits) << limits.error().message;
  EXPECT_EQ(limits->tenant, "train");
  EXPECT_EQ(limits->cards, TwoCards().cards);
  struct stat status = {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0644u);
  EXPECT_EQ(status.st_size, 4096);
}

TEST_F(LimitsFileTest, ShowsAChangeToWhoeverHasThePageMapped) {
  ASSERT_TRUE(WriteLimitsFile(path_, TwoCards()));
  const auto file = OpenFile(path_, O_RDONLY);
  auto* page = static_cast<abi::LimitsPageV1*>(
      mmap(nullptr, sizeof(abi::LimitsPageV1), PROT_READ, MAP_SHARED, file->get(), 0));
  ASSERT_TRUE(StoreMemoryLimit(path_, 1, 6_GiB));
  EXPECT_EQ(page->cards[1].memory_limit_bytes.load(), (6_GiB).count());
  ASSERT_TRUE(StoreMemoryLimit(path_, 0, std::nullopt));
  EXPECT_EQ(page->cards[0].memory_limit_bytes.load(), abi::kNoLimit);
  EXPECT_EQ(StoreMemoryLimit(path_, 2, 1_GiB).error().code, Errc::kNotFound);
  munmap(page, sizeof(abi::LimitsPageV1));
}

TEST_F(LimitsFileTest, ChangesTermsWhereTheyStand) {
  constexpr ComputeTerms kHigh = {
      .mode = abi::ComputeMode::kPriority, .share_permille = 500, .is_high = true};
  ASSERT_TRUE(WriteLimitsFile(path_, TwoCards()));
  ASSERT_TRUE(StoreComputeTerms(path_, 0, kHigh));
  const auto limits = ReadLimitsFile(path_);
  EXPECT_EQ(limits->cards.at(0).compute, kHigh);
  EXPECT_EQ(limits->cards.at(0).memory, 4_GiB);
  EXPECT_EQ(limits->cards.at(1).compute, kSoft);
  EXPECT_EQ(StoreComputeTerms(path_, 2, kHigh).error().code, Errc::kNotFound);
}

TEST_F(LimitsFileTest, ReadsWhatArbitersWroteBesideTheCards) {
  ASSERT_TRUE(WriteLimitsFile(path_, TwoCards()));
  const auto file = OpenFile(path_, O_RDWR);
  auto* page = static_cast<abi::LimitsPageV1*>(
      mmap(nullptr, sizeof(abi::LimitsPageV1), PROT_READ | PROT_WRITE, MAP_SHARED, file->get(), 0));
  page->cards[1].turn.granted_ns = 7;
  page->cards[1].turn.valid_until_ns = 9;
  EXPECT_EQ(ReadTurns(path_), (std::vector<TurnReading>{{0, 0}, {7, 9}}));
  munmap(page, sizeof(abi::LimitsPageV1));
}

TEST_F(LimitsFileTest, ReplacesTheFileWholeAndLeavesNoTrace) {
  ASSERT_TRUE(WriteLimitsFile(path_, TwoCards()));
  ASSERT_TRUE(WriteLimitsFile(path_, {.tenant = "other", .cards = {}}));
  EXPECT_EQ(ReadLimitsFile(path_)->tenant, "other");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST_F(LimitsFileTest, RefusesWhatItDidNotWrite) {
  EXPECT_EQ(ReadLimitsFile(path_).error().code, Errc::kNotFound);
  const auto put = [this](const std::string& bytes) {
    unlink(path_.c_str());
    return WriteAll(*OpenFile(path_, O_WRONLY | O_CREAT | O_EXCL, 0600), bytes);
  };
  ASSERT_TRUE(put(std::string(100, 'x')));
  EXPECT_EQ(ReadLimitsFile(path_).error().code, Errc::kCorrupt);
  ASSERT_TRUE(put(std::string(4096, 'x')));
  EXPECT_EQ(ReadLimitsFile(path_).error().code, Errc::kCorrupt);
}

TEST_F(LimitsFileTest, HoldsAsManyCardsAsThePageAndNotOneMore) {
  Limits limits{.tenant = "big", .cards = std::vector<CardLimit>(abi::kMaxCards)};
  EXPECT_TRUE(WriteLimitsFile(path_, limits));
  limits.cards.emplace_back();
  EXPECT_EQ(WriteLimitsFile(path_, limits).error().code, Errc::kInvalid);
}

}  // namespace
}  // namespace warpshare::platform
