#include "bench/driver_calls/events.h"

#include "bench/driver_calls/figure.h"

namespace warpshare::driver_calls {

namespace {

constexpr int kSamples = 200;

// Microseconds a kernel between two events, with `kernels` of the tiny one between them.
void Measure(const Stage& stage, const char* name, bool is_busy, int kernels) {
  CUevent begin = stage.tiny.NewEvent();
  CUevent end = stage.tiny.NewEvent();
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) {
    stage.Drain();
    if (is_busy) stage.Block();
    stage.tiny.Record(begin, stage.stream());
    for (int k = 0; k < kernels; ++k) stage.tiny.Launch(stage.stream());
    stage.tiny.Record(end, stage.stream());
    stage.tiny.Await(end);
    float ms = 0;
    load::Check(stage.driver().EventElapsedTime(&ms, begin, end), "cuEventElapsedTime");
    samples.push_back(static_cast<double>(ms) * 1e3 / (kernels > 1 ? kernels : 1));
  }
  Print(name, "us", std::move(samples));
}

void MeasureAsking(const Stage& stage) {
  CUevent begin = stage.tiny.NewEvent();
  CUevent end = stage.tiny.NewEvent();
  stage.tiny.Record(begin, stage.stream());
  stage.tiny.Record(end, stage.stream());
  stage.Drain();
  constexpr int kCalls = 16;
  PrintCallTime(
      "event_elapsed_time", kCalls, [] {},
      [&] {
        float ms = 0;
        stage.driver().EventElapsedTime(&ms, begin, end);
      },
      [] {});
}

}  // namespace

void MeasureEvents(const Stage& stage) {
  MeasureAsking(stage);
  Measure(stage, "events_around_nothing_idle", false, 0);
  Measure(stage, "events_around_nothing_busy", true, 0);
  Measure(stage, "events_around_5us_idle", false, 1);
  Measure(stage, "events_around_5us_busy", true, 1);
  Measure(stage, "events_around_32_of_5us_busy_each", true, 32);
}

}  // namespace warpshare::driver_calls
