// The table: one JSON line a figure, and at the end the figures in words.
#pragma once

#include <string>
#include <vector>

#include "bench/share/stage/scene.h"

namespace warpshare::bench {

enum class Wants { kAtMost, kAtLeast, kNothing };  // kNothing: shown, not judged

struct Figure {
  std::string row;
  std::string which;  // the case
  std::string metric;
  std::string unit;
  double value;
  double target;
  Wants wants;
  std::string detail = "";  // more members of the JSON object, ready to print
};

class Report {
 public:
  explicit Report(bool with_traces) : with_traces_(with_traces) {}
  void SetRepeat(int repeat) { repeat_ = repeat; }
  // Of the scene that the next figures are of: how often it was played, and whether the last time,
  // too, was disturbed.
  void SetPlays(int plays, bool was_disturbed) {
    plays_ = plays;
    was_disturbed_ = was_disturbed;
  }
  void Add(const Figure& figure, const Noise& noise);
  // What each tenant had, in percent of the card, in windows of 20 ms; and every piece of work of
  // the scene's first 200 ms after the first second. One JSON line a tenant.
  void AddTrace(const std::string& row, const std::string& which, const Scene& scene) const;
  void Summarize() const;  // worst and median over the repeats, on standard error
  bool all_pass() const;

 private:
  struct Repeats {
    Figure figure;
    std::vector<double> values;
  };
  const bool with_traces_;
  int repeat_ = 1;
  int plays_ = 1;
  bool was_disturbed_ = false;
  std::vector<Repeats> figures_;
};

}  // namespace warpshare::bench
