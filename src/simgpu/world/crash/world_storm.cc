// The process that crash tests kill.
//   simgpu_world_storm DIRECTORY storm SEED      works until killed
//   simgpu_world_storm DIRECTORY sequence        stops itself, then does everything once, slowly
//                                                enough to be stepped
//   simgpu_world_storm DIRECTORY exec PROGRAM    takes memory, then becomes PROGRAM
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simgpu/world/crash/storm.h"

namespace simgpu::world {
namespace {

Board& OpenBoard(const std::string& directory) {
  const int fd = open((directory + "/board").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(Board)) != 0) std::abort();
  void* start = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (start == MAP_FAILED) std::abort();
  return *static_cast<Board*>(start);
}

int Run(int count, char** arguments) {
  if (count < 3) return 2;
  if (std::strcmp(arguments[2], "wait") == 0) return pause();
  const std::string directory = arguments[1];
  std::string error;
  const auto world = World::Open({directory, {}}, &error);
  if (world == nullptr || !world->Join()) {
    std::fprintf(stderr, "storm: %s\n", error.c_str());
    return 2;
  }
  if (std::strcmp(arguments[2], "storm") == 0 && count == 4) {
    Storm storm(*world, OpenBoard(directory), static_cast<unsigned>(std::atoi(arguments[3])));
    while (true) storm.Step();
  }
  if (std::strcmp(arguments[2], "sequence") == 0 && count == 4) {
    // The first time at full speed: maps, slabs and symbols are there afterwards.
    const int operations = RunSequence(*world, -1);
    RunSequence(*world, std::atoi(arguments[3]) % operations);
    _exit(0);
  }
  if (std::strcmp(arguments[2], "exec") == 0) {
    if (!world->memory().Allocate(0, 100 * kMiB)) return 2;
    raise(SIGSTOP);
    execl("/proc/self/exe", arguments[0], arguments[1], "wait", nullptr);
  }
  return 2;
}

}  // namespace
}  // namespace simgpu::world

int main(int count, char** arguments) {
  // A test that fails leaves no storms behind. (In a pid namespace of its own it has no parent.)
  if (getppid() != 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  return simgpu::world::Run(count, arguments);
}
