#include "ledger/process_identity.h"

namespace warpshare::ledger {

namespace {

constexpr int kStateField = 3;
constexpr int kThreadsField = 20;
constexpr int kStartTimeField = 22;
constexpr int kStackField = 28;

bool IsDigit(char letter) { return letter >= '0' && letter <= '9'; }

// The number at `at`, which moves behind it; false if there is none or it does not fit.
bool ReadNumber(const char*& at, const char* end, uint64_t& number) {
  const char* const first = at;
  number = 0;
  for (; at != end && IsDigit(*at); ++at) {
    const auto digit = static_cast<uint64_t>(*at - '0');
    if (number > (UINT64_MAX - digit) / 10) return false;
    number = number * 10 + digit;
  }
  return at != first;
}

// Moves `count` fields on, to the start of one; false if a field is missing or empty.
bool SkipFields(const char*& at, const char* end, int count) {
  for (; count > 0; --count) {
    while (at != end && *at != ' ') ++at;
    if (at == end || ++at == end || *at == ' ') return false;
  }
  return true;
}

// The low bits of the address, which address space randomisation draws anew at each exec.
uint32_t ExecMark(uint64_t stack_start) { return static_cast<uint32_t>(stack_start >> 4); }

}  // namespace

bool ParseProcessStat(const char* text, size_t length, ProcessStat& result) {
  const char* at = text;
  const char* const end = text + length;
  uint64_t pid = 0;
  if (!ReadNumber(at, end, pid) || pid > UINT32_MAX) return false;

  const char* last_bracket = end;
  while (last_bracket != at && last_bracket[-1] != ')') --last_bracket;
  if (last_bracket == at || end - last_bracket < 2 || *last_bracket != ' ') return false;
  at = last_bracket + 1;

  result.pid = static_cast<uint32_t>(pid);
  result.state = *at;
  if (result.state < 'A' || result.state > 'z') return false;
  uint64_t stack_start = 0;
  const bool is_whole =
      SkipFields(at, end, kThreadsField - kStateField) && ReadNumber(at, end, result.threads) &&
      SkipFields(at, end, kStartTimeField - kThreadsField) &&
      ReadNumber(at, end, result.start_time) &&
      SkipFields(at, end, kStackField - kStartTimeField) && ReadNumber(at, end, stack_start);
  result.exec_mark = ExecMark(stack_start);
  return is_whole;
}

}  // namespace warpshare::ledger
