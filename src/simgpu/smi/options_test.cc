#include "simgpu/smi/options.h"

#include <gtest/gtest.h>

namespace simgpu::smi {
namespace {

OptionsOrError Parse(std::vector<const char*> arguments) { return ParseOptions(arguments); }

TEST(Options, WithoutAnyTheTableIsShownOnce) {
  const Options options = Parse({}).options;
  EXPECT_EQ(options.report, Report::kTable);
  EXPECT_EQ(options.loop_ms, 0u);
}

TEST(Options, AQueryNamesFieldsAndFormat) {
  const auto [options, error] =
      Parse({"--query-gpu=index, memory.used", "--format=csv,noheader,nounits", "-i", "0,1"});
  ASSERT_EQ(error, "");
  EXPECT_EQ(options.report, Report::kCards);
  EXPECT_EQ(options.fields, (std::vector<std::string>{"index", "memory.used"}));
  EXPECT_EQ(options.cards, (std::vector<std::string>{"0", "1"}));
  EXPECT_FALSE(options.header);
  EXPECT_FALSE(options.units);
}

TEST(Options, ValuesMayBeTheNextWord) {
  const auto [options, error] = Parse({"--query-compute-apps", "pid", "--format", "csv"});
  ASSERT_EQ(error, "");
  EXPECT_EQ(options.report, Report::kProcesses);
  EXPECT_TRUE(options.units);
}

TEST(Options, LoopsInSecondsOrMilliseconds) {
  EXPECT_EQ(Parse({"-l", "2"}).options.loop_ms, 2000u);
  EXPECT_EQ(Parse({"--loop=3"}).options.loop_ms, 3000u);
  EXPECT_EQ(Parse({"-lms", "250"}).options.loop_ms, 250u);
  EXPECT_EQ(Parse({"-l"}).options.loop_ms, 5000u);
  EXPECT_EQ(Parse({"-l", "-L"}).options.report, Report::kList);
}

TEST(Options, MonitorsHaveTheirOwn) {
  const auto [options, error] =
      Parse({"dmon", "-c", "3", "-d", "2", "-s", "um", "-o", "DT", "-i", "1"});
  ASSERT_EQ(error, "");
  EXPECT_EQ(options.report, Report::kCardMonitor);
  EXPECT_EQ(options.rounds, 3u);
  EXPECT_EQ(options.loop_ms, 2000u);
  EXPECT_EQ(options.metrics, "um");
  EXPECT_EQ(options.stamp, "DT");
  EXPECT_EQ(options.cards, std::vector<std::string>{"1"});
  EXPECT_EQ(Parse({"dmon"}).options.metrics, "puc");
  const Options processes = Parse({"pmon"}).options;
  EXPECT_EQ(processes.report, Report::kProcessMonitor);
  EXPECT_EQ(processes.rounds, 0u);
  EXPECT_EQ(processes.loop_ms, 1000u);
}

TEST(Options, DetailsMayBeXml) {
  EXPECT_TRUE(Parse({"-x", "-q"}).options.xml);
  EXPECT_FALSE(Parse({"-q"}).options.xml);
  EXPECT_EQ(Parse({"-x"}).error, "-x goes with -q");
}

TEST(Options, SayWhatIsWrong) {
  EXPECT_EQ(Parse({"--frobnicate"}).error,
            "unknown option \"--frobnicate\"; see simgpu-smi --help");
  EXPECT_EQ(Parse({"--query-gpu=index"}).error, "a query needs --format=csv");
  EXPECT_EQ(Parse({"--query-gpu=", "--format=csv"}).error, "a query names at least one field");
  EXPECT_EQ(Parse({"-i"}).error, "-i needs a value");
  EXPECT_EQ(Parse({"-l", "0"}).error, "-l takes a number from 1 to 1000000, not \"0\"");
  EXPECT_EQ(Parse({"--query-gpu=index", "--format=xml"}).error,
            "--format takes csv, noheader and nounits, not \"xml\"");
  EXPECT_EQ(Parse({"-q", "-d", "MEMORY,NONSENSE"}).error,
            "-d has no section \"NONSENSE\"; see simgpu-smi --help");
  EXPECT_EQ(Parse({"dmon", "--format=csv"}).error,
            "unknown option \"--format\"; see simgpu-smi --help");
  EXPECT_EQ(Parse({"pmon", "-o", "X"}).error, "-o takes D, T or DT");
  EXPECT_EQ(Parse({"pmon", "-c", "0"}).error, "-c takes a number from 1 to 1000000, not \"0\"");
}

}  // namespace
}  // namespace simgpu::smi
