// The command line, in the words of nvidia-smi.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace simgpu::smi {

enum class Report {
  kTable,
  kList,
  kDetails,
  kCards,
  kProcesses,
  kTopology,
  kCardMonitor,     // dmon
  kProcessMonitor,  // pmon
  kHelp,
  kHelpFields,
  kVersion
};

struct Options {
  Report report = Report::kTable;
  std::vector<std::string> fields;    // of --query-gpu and --query-compute-apps
  bool header = true;                 // --format: without noheader
  bool units = true;                  // --format: without nounits
  std::vector<std::string> cards;     // -i; empty: all
  std::vector<std::string> sections;  // -d; empty: all
  bool xml = false;                   // -x
  unsigned loop_ms = 0;               // 0: once
  unsigned rounds = 0;                // of dmon and pmon; 0: until it is ended
  std::string metrics;                // -s of dmon and pmon, a letter for each group of columns
  std::string stamp;                  // -o of dmon and pmon: D, T or both
  std::string file;                   // -f; empty: standard output
};

struct OptionsOrError {
  Options options;
  std::string error;  // empty: none
};

OptionsOrError ParseOptions(std::span<const char* const> arguments);

std::vector<std::string> SplitAtCommas(const std::string& text);

}  // namespace simgpu::smi
