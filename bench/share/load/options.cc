#include "bench/share/load/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <charconv>
#include <functional>
#include <map>
#include <string_view>

namespace warpshare::load {

namespace {

constexpr char kUsage[] =
    "usage: share_load [--OPTION VALUE ...]\n"
    "  --mode M         async sync graph copy threads mix burst gaps serve: load (of threads each\n"
    "                   has two streams, of serve one);  calibrate: prints loops_per_us\n"
    "                   wait-value host-write host-function graph-host cross-stream pair: waits\n"
    "                   for itself\n"
    "                   kernel-wait: a kernel spins until another has run; on real cards only\n"
    "  --work spin      of its kernels; compute, memory, gemm: on all of the card\n"
    "  --kernel 200us   how long a kernel lasts       --depth 64       submissions in flight\n"
    "           20us..2ms  each another time, any factor between as likely\n"
    "  --streams 1      used in turn                  --seconds 10     then it reports and ends\n"
    "  --graph-nodes 20 kernels in a graph            --copy-bytes N   of one copy\n"
    "  --burst 2ms      work in a burst               --period 20ms    from burst to burst\n"
    "  --gap 40us       the program's own work before each launch of mode gaps, which waits\n"
    "                   after --depth of them\n"
    "  --memory BYTES   allocated first               --device 0\n"
    "  --ticks 20ms     so often it says how far it is\n"
    "  --pair FILE      shared by both of a pair      --rank 0         or 1, in a pair\n"
    "  --loops-per-us N a real card's speed           --start stdin    begins at a line there\n";

[[noreturn]] void Refuse(std::string_view word) {
  fprintf(stderr, "share_load: cannot read '%.*s'\n%s", static_cast<int>(word.size()), word.data(),
          kUsage);
  _exit(2);
}

template <typename Number>
Number ReadNumber(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) Refuse(text);
  return number;
}

uint64_t ReadDuration(const std::string& text) {
  const size_t unit = text.find_first_not_of("0123456789");
  if (unit == 0 || unit == std::string::npos) Refuse(text);
  const auto number = ReadNumber<uint64_t>(text.substr(0, unit));
  if (text.substr(unit) == "ns") return number;
  if (text.substr(unit) == "us") return number * 1'000;
  if (text.substr(unit) == "ms") return number * 1'000'000;
  Refuse(text);
}

}  // namespace

Options ReadOptions(int count, char** words) {
  Options options;
  const std::map<std::string, std::function<void(const std::string&)>, std::less<>> readers = {
      {"--mode", [&](auto& word) { options.mode = word; }},
      {"--work", [&](auto& word) { options.work = FindKernelKind(word); }},
      {"--ticks", [&](auto& word) { options.ticks_ns = ReadDuration(word); }},
      {"--kernel",
       [&](auto& word) {
         const size_t dots = word.find("..");
         options.kernel = dots == std::string::npos ? word : "arg0ns";
         options.kernel_ns = ReadDuration(word.substr(0, dots));
         if (dots != std::string::npos)
           options.longest_kernel_ns = ReadDuration(word.substr(dots + 2));
       }},
      {"--depth", [&](auto& word) { options.depth = ReadNumber<uint32_t>(word); }},
      {"--streams", [&](auto& word) { options.streams = ReadNumber<uint32_t>(word); }},
      {"--seconds", [&](auto& word) { options.seconds = ReadNumber<double>(word); }},
      {"--graph-nodes", [&](auto& word) { options.graph_nodes = ReadNumber<uint32_t>(word); }},
      {"--copy-bytes", [&](auto& word) { options.copy_bytes = ReadNumber<uint64_t>(word); }},
      {"--burst", [&](auto& word) { options.burst_ns = ReadDuration(word); }},
      {"--gap", [&](auto& word) { options.gap_ns = ReadDuration(word); }},
      {"--period", [&](auto& word) { options.period_ns = ReadDuration(word); }},
      {"--memory", [&](auto& word) { options.memory_bytes = ReadNumber<uint64_t>(word); }},
      {"--device", [&](auto& word) { options.device = ReadNumber<int>(word); }},
      {"--pair", [&](auto& word) { options.pair_file = word; }},
      {"--rank", [&](auto& word) { options.rank = ReadNumber<int>(word); }},
      {"--loops-per-us", [&](auto& word) { options.loops_per_us = ReadNumber<double>(word); }},
      {"--start", [&](auto& word) { options.await_start = word == "stdin"; }},
  };
  if (count == 2 && std::string_view(words[1]) == "--help") {
    fputs(kUsage, stdout);
    exit(0);
  }
  for (int i = 1; i < count; i += 2) {
    const auto reader = readers.find(words[i]);
    if (reader == readers.end() || i + 1 == count) Refuse(words[i]);
    reader->second(words[i + 1]);
  }
  if (options.work == nullptr) Refuse("--work");
  if (options.longest_kernel_ns != 0 && options.longest_kernel_ns < options.kernel_ns)
    Refuse("--kernel");
  if (options.depth == 0 || options.streams == 0 || options.kernel_ns == 0) Refuse("0");
  return options;
}

}  // namespace warpshare::load
