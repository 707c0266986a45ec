#include "bench/share/report.h"

#include <stdio.h>

#include <algorithm>

namespace warpshare::bench {

namespace {

bool Passes(const Figure& figure, double value) {
  switch (figure.wants) {
    case Wants::kAtMost:
      return value <= figure.target;
    case Wants::kAtLeast:
      return value >= figure.target;
    case Wants::kNothing:
      break;
  }
  return true;
}

const char* Sign(Wants wants) {
  if (wants == Wants::kNothing) return "  ";
  return wants == Wants::kAtMost ? "<=" : ">=";
}

double WorstOf(const Figure& figure, const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return figure.wants == Wants::kAtLeast ? *least : *most;
}

double MedianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

constexpr uint64_t kTraceStepNs = 20 * kMs;

// [from, length] of each, in microseconds from the period's start.
void PrintPieces(const BusySeries& series, const Period& period) {
  const char* separator = "";
  for (const BusyPiece& piece : series.pieces()) {
    if (piece.from_ns < period.from_ns || piece.from_ns >= period.to_ns) continue;
    printf("%s[%lu, %lu]", separator, (piece.from_ns - period.from_ns) / 1000,
           piece.busy_ns / 1000);
    separator = ", ";
  }
}

}  // namespace

void Report::Add(const Figure& figure, const Noise& noise) {
  printf(
      "{\"bench\": \"share\", \"row\": \"%s\", \"case\": \"%s\", \"repeat\": %d, "
      "\"metric\": \"%s\", \"unit\": \"%s\", \"value\": %.3f, ",
      figure.row.c_str(), figure.which.c_str(), repeat_, figure.metric.c_str(), figure.unit.c_str(),
      figure.value);
  if (figure.wants != Wants::kNothing) {
    printf("\"wants\": \"%s\", \"target\": %.3f, \"pass\": %s, ", Sign(figure.wants), figure.target,
           Passes(figure, figure.value) ? "true" : "false");
  }
  printf("%s\"plays\": %d, \"disturbed\": %s, ", figure.detail.c_str(), plays_,
         was_disturbed_ ? "true" : "false");
  printf("\"steal_percent\": %.1f, \"processor_percent\": %.0f, \"lateness_us\": %.0f}\n",
         noise.steal_percent, noise.processor_percent, noise.lateness_us);
  fflush(stdout);
  const auto same = std::find_if(figures_.begin(), figures_.end(), [&](const Repeats& known) {
    return known.figure.row == figure.row && known.figure.which == figure.which &&
           known.figure.metric == figure.metric;
  });
  if (same != figures_.end())
    same->values.push_back(figure.value);
  else
    figures_.push_back({.figure = figure, .values = {figure.value}});
}

void Report::AddTrace(const std::string& row, const std::string& which, const Scene& scene) const {
  if (!with_traces_) return;
  for (size_t i = 0; i < scene.tenant_count(); ++i) {
    const BusySeries series = scene.SeriesOf(i);
    printf(
        "{\"bench\": \"share\", \"trace\": \"%s\", \"case\": \"%s\", \"repeat\": %d, "
        "\"tenant\": \"%s\", \"window_ms\": %lu, \"percent\": [",
        row.c_str(), which.c_str(), repeat_, scene.plan(i).name.c_str(), kTraceStepNs / kMs);
    const std::vector<double> sums = series.Cumulative(scene.whole(), kTraceStepNs);
    for (size_t step = 1; step < sums.size(); ++step) {
      printf("%s%.1f", step == 1 ? "" : ", ",
             100 * (sums[step] - sums[step - 1]) / static_cast<double>(kTraceStepNs));
    }
    printf("], \"pieces_us\": [");
    PrintPieces(series, scene.Between(1, 1.2));
    printf("]}\n");
  }
}

void Report::Summarize() const {
  fprintf(stderr, "\n%-10s %-44s %-14s %9s %9s %12s\n", "row", "case", "metric", "median", "worst",
          "target");
  for (const Repeats& repeats : figures_) {
    const Figure& figure = repeats.figure;
    const double worst = WorstOf(figure, repeats.values);
    fprintf(stderr, "%-10s %-44s %-14s %9.2f %9.2f %3s", figure.row.c_str(), figure.which.c_str(),
            figure.metric.c_str(), MedianOf(repeats.values), worst, Sign(figure.wants));
    if (figure.wants != Wants::kNothing)
      fprintf(stderr, "%9.2f%s", figure.target, Passes(figure, worst) ? "" : "  MISSED");
    fprintf(stderr, "\n");
  }
}

bool Report::all_pass() const {
  return std::all_of(figures_.begin(), figures_.end(), [](const Repeats& repeats) {
    return Passes(repeats.figure, WorstOf(repeats.figure, repeats.values));
  });
}

}  // namespace warpshare::bench
