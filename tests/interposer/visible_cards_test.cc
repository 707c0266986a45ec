// A tenant sees its own cards and no others, whatever CUDA_VISIBLE_DEVICES says: where its
// directory is named in the environment, and at the fixed path, where nobody could set the variable
// before.
#include <gtest/gtest.h>

#include "sim_world.h"

namespace warpshare::testing {
namespace {

using Uuid = std::array<uint8_t, 16>;

// A mount namespace in which the folder $1 is at the fixed path; runs the rest of its words there.
const std::string kAtFixedPath =
    std::string("set -e; mount --make-rprivate /; ") + "mount -t tmpfs none /run; mkdir -p " +
    abi::kFixedTenantDir + "; mount --bind \"$1\" " + abi::kFixedTenantDir + "; shift; exec \"$@\"";

std::string HexOf(const Uuid& uuid) {
  std::string hex;
  for (const uint8_t byte : uuid) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return hex;
}

std::string NameOf(const Uuid& uuid) {
  std::string name = HexOf(uuid);
  for (const size_t dash : {8, 13, 18, 23}) name.insert(dash, "-");
  return "GPU-" + name;
}

class VisibleCardsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!IsAtFixedPath()) return;
    const Ran ran = RunProgram(AtFixedPath({"true"}), {});
    if (ran.exit_code != 0) GTEST_SKIP() << "may not mount in a namespace of its own: " << ran.err;
  }

  bool IsAtFixedPath() const { return std::string(GetParam()) == "AtTheFixedPath"; }

  std::vector<std::string> AtFixedPath(const std::vector<std::string>& command) const {
    std::vector<std::string> whole = {"unshare",    "-m", "sh",          "-c",
                                      kAtFixedPath, "sh", tenant_.path()};
    whole.insert(whole.end(), command.begin(), command.end());
    return whole;
  }

  // `variables`: words for env(1) before the program.
  std::string Run(const std::vector<std::string>& variables,
                  const std::vector<std::string>& steps) const {
    std::vector<std::string> command = {"env"};
    command.insert(command.end(), variables.begin(), variables.end());
    const std::vector<std::string> program = TenantCommand("lookup2", steps);
    command.insert(command.end(), program.begin(), program.end());
    const Ran ran = IsAtFixedPath() ? RunProgram(AtFixedPath(command), world_.Interposed())
                                    : RunProgram(command, world_.Interposed(&tenant_));
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.err, "");
    return ran.out;
  }

  // Of the machine's two cards; the tenant has them the other way round.
  void GrantOnlyTheSecond() { tenant_.limits().card_count = 1; }

  SimWorld world_;
  std::vector<Uuid> uuids_ = world_.Uuids();
  TenantDir tenant_{{{.uuid = uuids_[1]}, {.uuid = uuids_[0]}}};
};

INSTANTIATE_TEST_SUITE_P(Tenants, VisibleCardsTest,
                         ::testing::Values("NamedInTheEnvironment", "AtTheFixedPath"),
                         [](const auto& info) { return info.param; });

TEST_P(VisibleCardsTest, ACardThatWasNotGrantedIsNotSeen) {
  GrantOnlyTheSecond();
  EXPECT_EQ(Run({}, {"init", "count", "uuid=0", "uuid=1"}), "find ok\ninit 0\ncount 0 1\nuuid 0 " +
                                                                HexOf(uuids_[1]) + "\nuuid 101 " +
                                                                HexOf(Uuid{}) + "\n");
}

TEST_P(VisibleCardsTest, GrantedCardsAreInTheOrderOfTheLimitsPage) {
  EXPECT_EQ(Run({}, {"init", "count", "uuid=0", "uuid=1"}), "find ok\ninit 0\ncount 0 2\nuuid 0 " +
                                                                HexOf(uuids_[1]) + "\nuuid 0 " +
                                                                HexOf(uuids_[0]) + "\n");
}

TEST_P(VisibleCardsTest, AnIndexOfTheProgramsCountsAmongTheGranted) {
  EXPECT_EQ(Run({"CUDA_VISIBLE_DEVICES=1"}, {"init", "count", "uuid=0"}),
            "find ok\ninit 0\ncount 0 1\nuuid 0 " + HexOf(uuids_[0]) + "\n");
}

TEST_P(VisibleCardsTest, AUuidOfAnotherCardShowsNone) {
  GrantOnlyTheSecond();
  EXPECT_EQ(
      Run({"CUDA_VISIBLE_DEVICES=" + NameOf(uuids_[0])}, {"init", "variable=CUDA_VISIBLE_DEVICES"}),
      "find ok\ninit 100\nvariable " + NameOf(uuids_[0]) + "\n");
}

TEST_P(VisibleCardsTest, AnEmptyListStaysEmpty) {
  EXPECT_EQ(Run({"CUDA_VISIBLE_DEVICES="}, {"init"}), "find ok\ninit 100\n");
}

TEST_P(VisibleCardsTest, AChildSeesTheSame) {
  EXPECT_EQ(Run({"CUDA_VISIBLE_DEVICES=1"},
                {"init", "fork", "exec", "find", "variable=CUDA_VISIBLE_DEVICES", "init", "count",
                 "uuid=0", "variable=CUDA_VISIBLE_DEVICES"}),
            "find ok\ninit 0\nfind ok\nvariable 1\ninit 0\ncount 0 1\nuuid 0 " + HexOf(uuids_[0]) +
                "\nvariable 1\n");
}

// Programs read it themselves, as a list of numbers.
TEST_P(VisibleCardsTest, TheVariableIsAfterwardsWhatTheProgramMadeIt) {
  const std::string variable = "variable=CUDA_VISIBLE_DEVICES";
  EXPECT_EQ(Run({}, {"init", "init", variable}), "find ok\ninit 0\ninit 0\nvariable is not set\n");
  EXPECT_EQ(Run({"CUDA_VISIBLE_DEVICES=1,0"}, {"init", variable}),
            "find ok\ninit 0\nvariable 1,0\n");
  EXPECT_EQ(Run({}, {"constant=CUDA_VISIBLE_DEVICES=1", "init", variable, "count"}),
            "find ok\ninit 0\nvariable 1\ncount 0 1\n");
}

TEST_P(VisibleCardsTest, AConstantOfTheProgramsIsNotWrittenTo) {
  EXPECT_EQ(Run({}, {"constant=CUDA_VISIBLE_DEVICES=0,1,and-a-long-tail-with-much-room-in-it-for-"
                     "the-uuid-of-a-card",
                     "init", "count"}),
            "find ok\ninit 0\ncount 0 2\n");
  GrantOnlyTheSecond();
  EXPECT_EQ(Run({}, {"constant=CUDA_VISIBLE_DEVICES=7", "init"}), "find ok\ninit 100\n");
}

}  // namespace
}  // namespace warpshare::testing
