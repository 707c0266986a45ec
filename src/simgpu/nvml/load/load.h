// How busy a card is, and what follows from that: temperature, power, clocks. All of it is computed
// from the engines' accounts when it is asked for; nothing is sampled.
#pragma once

#include <cstdint>

#include "simgpu/nvml/session/session.h"

namespace simgpu::nvml {

// What NVML averages over.
inline constexpr uint64_t kSamplePeriodNs = 1'000'000'000;

// Shares of time, 0 to 1.
struct Load {
  double compute = 0;  // a kernel ran
  double copy = 0;     // memory was moved: the busiest of the copy engines
};

Load LoadOf(const Card& card);
Load ProcessLoadOf(const Card& card, world::ProcessKey process, uint64_t window_ns);

unsigned Percent(double share);            // rounded, at least 1 for what is not nothing
unsigned long long NowUs();                // of the wall clock, as NVML's timestamps are
unsigned TemperatureOf(const Card& card);  // degrees Celsius
unsigned PowerMilliwatts(const Card& card);
unsigned long long EnergyMillijoules(const Card& card);  // since the world began
unsigned long long CopiedBytes(const Card& card, world::EngineKind engine);  // in its life

// Degrees at which a card slows down, shuts down, and the most its parts are made for.
inline constexpr unsigned kSlowdownCelsius = 89;
inline constexpr unsigned kShutdownCelsius = 92;
inline constexpr unsigned kMemoryMaxCelsius = 95;
inline constexpr unsigned kGpuMaxCelsius = 85;

// Clocks in MHz.
struct ClockRange {
  unsigned lowest = 0;
  unsigned highest = 0;
  unsigned now = 0;
};
inline constexpr unsigned kClockStepMhz = 15;
nvmlReturn_t ClocksOf(const Card& card, nvmlClockType_t type, ClockRange* range);

}  // namespace simgpu::nvml
