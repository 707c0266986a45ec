#include "simgpu/testing/world_fixture.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace simgpu::testing {
namespace {

// Owned by the process that made it: a forked child leaves the directory alone.
struct WorldDirectory {
  std::string path;
  pid_t owner = 0;

  ~WorldDirectory() {
    if (owner != getpid()) return;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

WorldDirectory& Directory() {
  static WorldDirectory directory;
  return directory;
}

std::string Parent() {
  return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path();
}

}  // namespace

void UseWorld(const Cards& cards) {
  WorldDirectory& directory = Directory();
  if (!directory.path.empty()) return;
  std::string name = Parent() + "/simgpu-test-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  directory.path = name;
  directory.owner = getpid();
  setenv("SIMGPU_WORLD", name.c_str(), 1);
  setenv("SIMGPU_CARDS", std::to_string(cards.count).c_str(), 1);
  setenv("SIMGPU_MEMORY", cards.memory.c_str(), 1);
  if (cards.scenario.empty()) {
    unsetenv("SIMGPU_SCENARIO");
  } else {
    setenv("SIMGPU_SCENARIO", cards.scenario.c_str(), 1);
  }
  unsetenv("CUDA_VISIBLE_DEVICES");
}

int RunInChild(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace simgpu::testing
