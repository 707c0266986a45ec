// Hooks of submitting functions, a line each: what is submitted, the parameters, the arguments.
// Each line makes two hooks: the function, whose stream 0 is the legacy default stream, and its
// twin
// (_ptsz, _ptds), whose stream 0 is the calling thread's.
#pragma once

#include <cstddef>

#include "interposer/compute/metering.h"
#include "interposer/dispatch/driver.h"

// The parameters have the stream under that name.
#define SUBMIT(symbol, twin, work, parameters, ...)                                                \
  WARPSHARE_HOOK CUresult symbol parameters {                                                      \
    return Submit(                                                                                 \
        Legacy(stream), [=] { return work; }, [=] { return REAL(symbol)(__VA_ARGS__); });          \
  }                                                                                                \
  WARPSHARE_HOOK CUresult symbol##twin parameters {                                                \
    return Submit(                                                                                 \
        PerThread(stream), [=] { return work; }, [=] { return REAL(symbol##twin)(__VA_ARGS__); }); \
  }

// To the default stream; the call may return before the work has ended, or only afterwards.
#define SUBMIT_AND_QUEUE(symbol, twin, work, parameters, ...)                              \
  WARPSHARE_HOOK CUresult symbol parameters {                                              \
    return Submit(                                                                         \
        CU_STREAM_LEGACY, [=] { return work; }, [=] { return REAL(symbol)(__VA_ARGS__); }, \
        Returns::kPerhapsAtTheEnd);                                                        \
  }                                                                                        \
  WARPSHARE_HOOK CUresult symbol##twin parameters {                                        \
    return Submit(                                                                         \
        CU_STREAM_PER_THREAD, [=] { return work; },                                        \
        [=] { return REAL(symbol##twin)(__VA_ARGS__); }, Returns::kPerhapsAtTheEnd);       \
  }

#define SUBMIT_AND_FINISH(symbol, twin, work, parameters, ...)                              \
  WARPSHARE_HOOK CUresult symbol parameters {                                               \
    return SubmitAndWait(                                                                   \
        CU_STREAM_LEGACY, [=] { return work; }, [=] { return REAL(symbol)(__VA_ARGS__); }); \
  }                                                                                         \
  WARPSHARE_HOOK CUresult symbol##twin parameters {                                         \
    return SubmitAndWait(                                                                   \
        CU_STREAM_PER_THREAD, [=] { return work; },                                         \
        [=] { return REAL(symbol##twin)(__VA_ARGS__); });                                   \
  }

// Takes no time of the card, but has the stream wait for somebody else.
#define INTERRUPT(symbol, twin, parameters, ...)                                          \
  WARPSHARE_HOOK CUresult symbol parameters {                                             \
    return Interrupt(Legacy(stream), [=] { return REAL(symbol)(__VA_ARGS__); });          \
  }                                                                                       \
  WARPSHARE_HOOK CUresult symbol##twin parameters {                                       \
    return Interrupt(PerThread(stream), [=] { return REAL(symbol##twin)(__VA_ARGS__); }); \
  }

namespace warpshare::interposer {

// Between the host, or another card, and the card; within the card; who knows.
inline Work HostBytes(size_t bytes) { return work::Move(work::Path::kHost, bytes, 0); }
inline Work CardBytes(size_t bytes) { return work::Move(work::Path::kCard, bytes, 1); }
inline Work AnyBytes(size_t bytes) { return work::Move(work::Path::kHost, bytes, 2); }

inline size_t Sum(const size_t* sizes, size_t count) {
  size_t sum = 0;
  for (size_t i = 0; sizes != nullptr && i < count; ++i) sum += sizes[i];
  return sum;
}

}  // namespace warpshare::interposer
