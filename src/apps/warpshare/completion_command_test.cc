#include "apps/warpshare/completion_command.h"

#include <gtest/gtest.h>

namespace warpshare::app {
namespace {

CommandModel Program() {
  CommandModel run = {
      .name = "run",
      .description = "Run a program's code [now]",
      .options = {{.names = {"--gpu"}, .description = "A card", .takes_value = true},
                  {.names = {"--sim", "-s"}, .description = "x", .takes_value = false}},
      .commands = {},
      .words = {},
      .words_from = {}};
  run.runs_program = true;
  CommandModel set = {.name = "set",
                      .description = "Change",
                      .options = {},
                      .commands = {},
                      .words = {},
                      .words_from = "warpshare ps -q"};
  return {.name = "warpshare",
          .description = "",
          .options = {},
          .commands = {run, set},
          .words = {},
          .words_from = {}};
}

TEST(CompletionScript, KnowsThreeShells) {
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_NE(CompletionScript(Program(), shell)->find("gpu"), std::string::npos) << shell;
  EXPECT_EQ(CompletionScript(Program(), "csh"), std::nullopt);
}

TEST(CompletionScript, KeepsDescriptionsFromBreakingTheScript) {
  EXPECT_NE(CompletionScript(Program(), "fish")->find("'Run a programs code [now]'"),
            std::string::npos);
}

TEST(CompletionScript, AsksForNamesWhenTheyAreNeeded) {
  EXPECT_NE(CompletionScript(Program(), "bash")->find("$(warpshare ps -q 2>/dev/null)"),
            std::string::npos);
}

}  // namespace
}  // namespace warpshare::app
