// Sleeping on a word of shared memory. Every sleep has an end: a waker can die before it wakes.
#pragma once

#include <atomic>
#include <cstdint>

namespace simgpu::world {

// Sleeps while `word` holds `expected`, at the longest until `until_ns` (CLOCK_MONOTONIC); may
// return early for no reason.
void FutexWait(std::atomic<uint32_t>& word, uint32_t expected, uint64_t until_ns);

// Change `word` (by one, to `value`) and wake all who sleep on it.
void FutexPost(std::atomic<uint32_t>& word);
void FutexSet(std::atomic<uint32_t>& word, uint32_t value);

}  // namespace simgpu::world
