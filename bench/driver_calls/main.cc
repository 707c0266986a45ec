// driver_calls [ROUNDS_A_US]: see README.md.
#include <stdio.h>
#include <stdlib.h>

#include "bench/driver_calls/calls.h"
#include "bench/driver_calls/events.h"
#include "bench/driver_calls/threads.h"

int main(int count, char** words) {
  using namespace warpshare::driver_calls;
  const double rounds_per_us = count > 1 ? strtod(words[1], nullptr) : 0;
  if (count > 2 || (count == 2 && rounds_per_us <= 0)) {
    fprintf(stderr, "usage: driver_calls [ROUNDS_A_US]\n");
    return 2;
  }
  MeasureThreads();
  const Stage stage(rounds_per_us);
  MeasureCalls(stage);
  MeasureEvents(stage);
  return 0;
}
