// What the call of a real driver does to the caches besides its work.
#pragma once

namespace warpshare::bench {

#ifdef BENCH_DISPLACES
// Reads twice as many lines of memory as the first-level data cache has, and runs through twice as
// many lines of code as the one for instructions has: what the caller had there is in the second
// level at best. The time that takes is in `bench_displacing_ns`, to be left out of what is timed:
// it differs from call to call by more than what a hook costs.
void Displace();
#else
inline void Displace() {}
#endif

}  // namespace warpshare::bench
