// A world of its own for each test process: a fresh directory, the cards a test asks for, and
// nothing left behind. Tests of the simulated driver derive from WorldTest and call the driver's
// functions directly; the library itself is covered by the tests that load it.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <string>

namespace simgpu::testing {

// The cards of the calling process's world, as SIMGPU_* variables name them.
struct Cards {
  int count = 2;
  std::string memory = "4GiB";
  std::string scenario;  // path of a scenario file; empty for none
};

// Makes the world's directory and sets the environment, once in a process and before its first
// call of the driver. The directory goes when the process ends.
void UseWorld(const Cards& cards);

// Runs `body` in a forked child and gives its exit status: 0 when no gtest assertion failed. The
// caller must not have called the driver: a child of such a process cannot use it.
int RunInChild(const std::function<void()>& body);

class WorldTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { UseWorld({}); }
};

}  // namespace simgpu::testing
