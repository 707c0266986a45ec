// bench_share [--quick] [--traces] [--repeats N] [--patience N] [--only ROW[:CASE]]: see README.md.
#include <stdio.h>
#include <stdlib.h>

#include <string>

#include "bench/share/report.h"
#include "bench/share/rows/rows.h"

namespace warpshare::bench {
namespace {

struct Options {
  bool quick = false;
  bool traces = false;
  int repeats = 5;
  int patience = 0;
  std::string row;   // empty: all
  std::string part;  // of the names of cases
};

[[noreturn]] void Refuse() {
  fprintf(
      stderr,
      "usage: bench_share [--quick] [--traces] [--repeats N] [--patience N] [--only ROW[:CASE]]\n"
      "rows:");
  for (const Row& row : Rows()) fprintf(stderr, " %s", row.name);
  fprintf(stderr, "; CASE: a part of the names of its cases\n");
  exit(2);
}

Options ReadOptions(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--traces") {
      options.traces = true;
    } else if (i + 1 == count) {
      Refuse();
    } else if (word == "--repeats") {
      options.repeats = atoi(words[++i]);
    } else if (word == "--patience") {
      options.patience = atoi(words[++i]);
    } else if (word == "--only") {
      const std::string only = words[++i];
      const size_t colon = only.find(':');
      options.row = only.substr(0, colon);
      if (colon != std::string::npos) options.part = only.substr(colon + 1);
    } else {
      Refuse();
    }
  }
  if (options.repeats < 1 || options.patience < 0) Refuse();
  return options;
}

bool Measure(const Options& options) {
  const SimMachine machine(Build::OfThisProgram(), 1);
  Report report(options.traces);
  // All rows again and again, so that whatever the machine does meanwhile falls on all of them.
  for (int repeat = 1; repeat <= options.repeats; ++repeat) {
    report.SetRepeat(repeat);
    for (const Row& row : Rows()) {
      if (!options.row.empty() && options.row != row.name) continue;
      if (row.needs_shares && !machine.shares_compute()) {
        fprintf(stderr, "%s: `warpshare run` of this build shares no GPU time\n", row.name);
        continue;
      }
      fprintf(stderr, "repeat %d of %d: %s\n", repeat, options.repeats, row.name);
      row.run({.machine = machine,
               .report = report,
               .quick = options.quick,
               .only = options.part,
               .patience = options.patience});
    }
  }
  report.Summarize();
  return report.all_pass();
}

}  // namespace
}  // namespace warpshare::bench

int main(int count, char** words) {
  using namespace warpshare::bench;
  return Measure(ReadOptions(count, words)) ? 0 : 1;
}
