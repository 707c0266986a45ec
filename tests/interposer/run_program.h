// Runs a program as a user's shell would and keeps what it said.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpshare::testing {

struct Ran {
  int exit_code;  // 128 + n: it died of signal n
  std::string out;
  std::string err;
};

// Name and value; an empty value takes the variable away. Added to the test's own environment.
using Environment = std::vector<std::pair<std::string, std::string>>;

// A program that runs beside the test until it is told to go on, killed or awaited.
class RunningProgram {
 public:
  RunningProgram(const std::vector<std::string>& command, const Environment& environment);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  int pid() const { return pid_; }
  // Waits until its output so far holds `text`; false if it ended before.
  bool AwaitOutput(const std::string& text);
  const Ran& so_far() const { return ran_; }  // what was read while waiting
  void GoOn();                                // a line on its standard input
  void Kill();
  Ran Await();

 private:
  bool ReadSome();

  int pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  Ran ran_{};
};

Ran RunProgram(const std::vector<std::string>& command, const Environment& environment);

}  // namespace warpshare::testing
