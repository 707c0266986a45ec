#include "bench/interposer/displace.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

// A jump to the next line in each line, and a return behind them.
#define BENCH_LINES_OF_CODE 4096
#define BENCH_TEXT(value) BENCH_TEXT_OF(value)
#define BENCH_TEXT_OF(value) #value
asm(".pushsection .text\n"
    ".p2align 6\n"
    "bench_lines_of_code:\n"
    ".rept " BENCH_TEXT(BENCH_LINES_OF_CODE) "\n"
    "jmp .+64\n"
    ".skip 62, 0xcc\n"
    ".endr\n"
    "ret\n"
    ".popsection\n");
extern "C" __attribute__((visibility("hidden"))) char bench_lines_of_code[];
extern "C" __attribute__((visibility("default"))) double bench_displacing_ns;
double bench_displacing_ns = 0;

namespace warpshare::bench {

namespace {

constexpr size_t kLine = 64;
constexpr size_t kPage = 4096;
// Of the pages, too, more than the first level knows addresses of (64 to 96), some lines in each.
constexpr size_t kPages = 256;
constexpr size_t kLinesOfData = kPages * 16;

alignas(kPage) char g_data[kPages * kPage];

// Twice a cache: after one time through it alone, much of what was there before still is.
size_t LinesOf(int cache, size_t most) {
  constexpr long kAssumedBytes = 64 << 10;  // where the machine does not say
  const long bytes = sysconf(cache);
  return std::min(most, static_cast<size_t>(bytes > 0 ? bytes : kAssumedBytes) * 2 / kLine);
}

double NanosecondsOfTick() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kLongEnough = std::chrono::milliseconds(20);
  const auto begun = Clock::now();
  const auto first = __builtin_ia32_rdtsc();
  while (Clock::now() - begun < kLongEnough) {
  }
  const std::chrono::duration<double, std::nano> passed = Clock::now() - begun;
  return passed.count() / static_cast<double>(__builtin_ia32_rdtsc() - first);
}

// Pages that were never written are one page of zeros, and one page's lines in a cache.
size_t FillData(size_t lines) {
  memset(g_data, 1, sizeof(g_data));
  return lines;
}

// From page to page, and in each at the lines after those of the page before, so that all of a
// cache is met.
void ReadData(size_t lines) {
  const volatile char* data = g_data;
  const size_t in_page = lines / kPages;
  for (size_t page = 0; page < kPages; ++page) {
    for (size_t i = 0; i < in_page; ++i)
      (void)data[page * kPage + (page * in_page + i) * kLine % kPage];
  }
}

void RunCode(size_t lines) {
  reinterpret_cast<void (*)()>(bench_lines_of_code + (BENCH_LINES_OF_CODE - lines) * kLine)();
}

}  // namespace

void Displace() {
  static const double ns_of_tick = NanosecondsOfTick();
  static const size_t data_lines = FillData(LinesOf(_SC_LEVEL1_DCACHE_SIZE, kLinesOfData));
  static const size_t code_lines = LinesOf(_SC_LEVEL1_ICACHE_SIZE, BENCH_LINES_OF_CODE);
  // What was before is over, what comes after has not begun.
  __builtin_ia32_lfence();
  const auto begun = __builtin_ia32_rdtsc();
  ReadData(data_lines);
  RunCode(code_lines);
  __builtin_ia32_lfence();
  bench_displacing_ns += static_cast<double>(__builtin_ia32_rdtsc() - begun) * ns_of_tick;
}

}  // namespace warpshare::bench
