// Starts and ends the processes of crash tests.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <string>
#include <vector>

extern char** environ;

namespace simgpu::world {

inline std::string StormProgram() {
  char path[PATH_MAX] = {};
  EXPECT_GT(readlink("/proc/self/exe", path, sizeof(path) - 1), 0);
  const std::string self = path;
  return self.substr(0, self.rfind('/')) + "/simgpu_world_storm";
}

inline pid_t Spawn(std::vector<std::string> words) {
  words.insert(words.begin(), StormProgram());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  EXPECT_EQ(posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ), 0);
  return child;
}

// Kills the child. It must have been alive and well until now.
inline void Kill(pid_t child) {
  kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      << "it ended by itself, status " << status;
}

}  // namespace simgpu::world
