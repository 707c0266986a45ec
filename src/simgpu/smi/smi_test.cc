// The program as it is built, in a world of its own, with this test as a program on its cards.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "simgpu/testing/world_fixture.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/world.h"

namespace simgpu::smi {
namespace {

struct Output {
  std::string text;
  int status = -1;
};

Output Smi(const std::string& arguments) {
  const std::string command = std::string(SIMGPU_SMI) + " " + arguments + " 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  Output output;
  std::array<char, 4096> buffer;
  for (size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.text.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

bool Has(const Output& output, const std::string& text) {
  return output.text.find(text) != std::string::npos;
}

class SmiTest : public testing::WorldTest {
 protected:
  static void SetUpTestSuite() {
    WorldTest::SetUpTestSuite();
    unsetenv("LD_LIBRARY_PATH");
    EXPECT_TRUE(world::World::Instance().memory().Charge(1, world::MemoryKind::kData, 123 << 20));
  }
};

TEST_F(SmiTest, ShowsTheTableUsersKnow) {
  const Output output = Smi("");
  EXPECT_EQ(output.status, 0);
  EXPECT_TRUE(Has(output, "Driver Version: 580.65.06      CUDA Version: 13.0 ")) << output.text;
  EXPECT_TRUE(Has(output, "|   1  SimGPU-A100                     On |   00000000:0F:00.0 Off |"))
      << output.text;
  EXPECT_TRUE(Has(output, "|     123MiB /   4096MiB |      0%      Default |")) << output.text;
  EXPECT_TRUE(Has(output, std::to_string(getpid()) + "      C   ")) << output.text;
  EXPECT_TRUE(Has(output, "     123MiB |\n+--")) << output.text;
  for (size_t begin = output.text.find('\n') + 1; begin < output.text.size();) {
    const size_t end = output.text.find('\n', begin);
    EXPECT_TRUE(end == begin || end - begin == 91) << output.text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST_F(SmiTest, AnswersQueriesAsCsv) {
  const Output output = Smi("--query-gpu=index,memory.total,fan.speed --format=csv");
  EXPECT_EQ(output.text,
            "index, memory.total [MiB], fan.speed [%]\n0, 4096 MiB, [N/A]\n1, 4096 MiB, [N/A]\n");
  EXPECT_EQ(Smi("--query-gpu=memory.used,memory.free -i 1 --format=csv,noheader,nounits").text,
            "123, 3973\n");
  EXPECT_EQ(Smi("--query-compute-apps=pid,used_memory --format=csv,noheader").text,
            std::to_string(getpid()) + ", 123 MiB\n");
}

TEST_F(SmiTest, FindsACardByEachOfItsNames) {
  const std::string uuid = world::UuidText(world::World::Instance().card(1).uuid);
  const std::string line = "GPU 1: SimGPU-A100 (UUID: " + uuid + ")\n";
  EXPECT_EQ(Smi("-L -i 1").text, line);
  EXPECT_EQ(Smi("-L -i " + uuid).text, line);
  EXPECT_EQ(Smi("-L -i 00000000:0f:00.0").text, line);
  const Output unknown = Smi("-L -i 7");
  EXPECT_EQ(unknown.status, 6);
  EXPECT_TRUE(Has(unknown, "no card is named \"7\""));
}

TEST_F(SmiTest, ShowsSectionsOfTheDetails) {
  const Output output = Smi("-q -d MEMORY,PIDS");
  EXPECT_TRUE(Has(output, "Attached GPUs                                  : 2\n")) << output.text;
  EXPECT_TRUE(Has(output, "        Used                                   : 123 MiB\n"));
  EXPECT_FALSE(Has(output, "Power"));
}

TEST_F(SmiTest, ShowsTheDetailsAsXml) {
  const Output output = Smi("-q -x -i 1");
  EXPECT_TRUE(Has(output, "\t<gpu id=\"00000000:0F:00.0\">\n")) << output.text;
  EXPECT_TRUE(Has(output, "\t\t<fb_memory_usage>\n\t\t\t<total>4096 MiB</total>\n")) << output.text;
  EXPECT_TRUE(Has(output, "\t\t\t\t\t<max_link_width>16x</max_link_width>\n")) << output.text;
  EXPECT_TRUE(Has(output, "\t\t\t<pid>" + std::to_string(getpid()) + "</pid>\n")) << output.text;
  EXPECT_TRUE(Has(output, "\t\t</processes>\n\t</gpu>\n</nvidia_smi_log>\n")) << output.text;
  EXPECT_FALSE(Has(Smi("-q -x -d POWER"), "fb_memory_usage"));
}

// Scripts find out by --help-query-gpu what they may ask for, and ask for all of it.
TEST_F(SmiTest, AnswersEveryFieldThatItsHelpNames) {
  const std::string help = Smi("--help-query-gpu").text;
  std::string fields;
  for (size_t at = help.find("\n\""); at != std::string::npos; at = help.find("\n\"", at + 1)) {
    const size_t end = help.find('"', at + 2);
    fields += (fields.empty() ? "" : ",") + help.substr(at + 2, end - at - 2);
  }
  const std::string query = "--query-gpu=" + fields + " --format=csv,noheader -i 0";
  const Output output = Smi(query);
  EXPECT_EQ(output.status, 0) << output.text;
  EXPECT_GT(fields.size(), 1000u);
  EXPECT_TRUE(Has(Smi("--query-gpu=clocks_throttle_reasons.active --format=csv,noheader -i 0"),
                  "0x0000000000000001\n"));
}

TEST_F(SmiTest, RefusesWhatItDoesNotKnow) {
  const Output field = Smi("--query-gpu=nonsense --format=csv");
  EXPECT_EQ(field.status, 2);
  EXPECT_TRUE(Has(field, "Field \"nonsense\" is not a valid field to query."));
  EXPECT_EQ(Smi("dmon -s x").status, 2);
  EXPECT_EQ(Smi("pmon -s t").status, 2);
}

// Takes the number out of a column of the last line.
int TakeNumber(std::string* text, size_t column) {
  constexpr size_t kWidth = 7;
  const size_t line = text->rfind('\n', text->size() - 2) + 1;
  const int number = std::atoi(text->substr(line + column, kWidth).c_str());
  text->replace(line + column, kWidth, "      #");
  return number;
}

// Work counts when it is done, so it is done in short pieces, from 2 s ago on.
void Work(const std::atomic<bool>& is_over) {
  const uint64_t ago_ns = world::NowNs() - 2'000'000'000;
  while (!is_over) {
    world::World::Instance().engine().Reserve(
        {.card = 1, .duration_ns = 10'000'000, .ready_ns = ago_ns});
  }
}

TEST_F(SmiTest, MonitorsCardsAndProcesses) {
  std::atomic<bool> is_over = false;
  std::thread worker([&] { Work(is_over); });
  std::string cards = Smi("dmon -c 1 -s um -i 1").text;
  std::string processes = Smi("pmon -c 1").text;
  const Output twice = Smi("dmon -c 2 -s c -o T -i 1");
  is_over = true;
  worker.join();
  EXPECT_GT(TakeNumber(&cards, 5), 0);
  EXPECT_EQ(cards,
            "# gpu     sm    mem    enc    dec    jpg    ofa     fb   bar1   ccpm\n"
            "# Idx      %      %      %      %      %      %     MB     MB     MB\n"
            "    1      #      0      0      0      0      0    123      1      -\n");
  EXPECT_GT(TakeNumber(&processes, 24), 0);
  const std::string pid = std::to_string(getpid());
  const std::string begin = "    1" + std::string(12 - pid.size(), ' ') + pid;
  EXPECT_EQ(processes,
            "# gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command\n"
            "# Idx           #    C/G      %      %      %      %      %      %    name\n"
            "    0           -      -      -      -      -      -      -      -    -\n" +
                begin + "      C      #      0      0      0      -      -    simgpu_smi_test\n");
  EXPECT_EQ(std::count(twice.text.begin(), twice.text.end(), '\n'), 4);
  EXPECT_TRUE(Has(twice, "#Time      gpu   mclk   pclk\n#HH:MM:SS  Idx    MHz    MHz\n "));
}

}  // namespace
}  // namespace simgpu::smi
