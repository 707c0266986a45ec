#include "bench/driver_calls/calls.h"

#include "bench/driver_calls/figure.h"

namespace warpshare::driver_calls {

namespace {

// Few at a time: what is measured is handing work over, not waiting for a full queue.
constexpr int kLaunches = 4;
constexpr int kQueries = 16;

// The stream is idle before each batch, or has work for all of it.
void MeasureInStream(const Stage& stage, bool is_busy) {
  const load::Driver& driver = stage.driver();
  CUevent event = stage.tiny.NewEvent();
  CUevent last = stage.tiny.NewEvent();
  const auto before = [&] {
    if (is_busy) stage.Block();
    stage.tiny.Record(last, stage.stream());
    if (!is_busy) stage.Drain();
  };
  const auto after = [&] { stage.Drain(); };
  const auto print = [&](const char* idle_name, const char* busy_name, int calls, auto call) {
    PrintCallTime(is_busy ? busy_name : idle_name, calls, before, call, after);
  };
  print("launch_idle", "launch_busy", kLaunches, [&] { stage.tiny.Launch(stage.stream()); });
  print("event_record_idle", "event_record_busy", kLaunches,
        [&] { stage.tiny.Record(event, stage.stream()); });
  print("event_query_done", "event_query_pending", kQueries, [&] { driver.EventQuery(last); });
  print("stream_get_ctx_idle", "stream_get_ctx_busy", kQueries, [&] {
    CUcontext context = nullptr;
    driver.StreamGetCtx(stage.stream(), &context);
  });
  print("stream_is_capturing_idle", "stream_is_capturing_busy", kQueries, [&] {
    CUstreamCaptureStatus status{};
    driver.StreamIsCapturing(stage.stream(), &status);
  });
}

}  // namespace

void MeasureCalls(const Stage& stage) {
  const auto nothing = [] {};
  MeasureInStream(stage, false);
  MeasureInStream(stage, true);
  PrintCallTime("stream_synchronize_idle", kQueries, nothing, [&] { stage.Drain(); }, nothing);
  PrintCallTime(
      "launch_and_synchronize", 1, nothing,
      [&] {
        stage.tiny.Launch(stage.stream());
        stage.Drain();
      },
      nothing);
}

}  // namespace warpshare::driver_calls
