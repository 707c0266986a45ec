#include "process_start.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <string>

#include "calls.h"
#include "library_paths.h"
#include "median.h"

namespace warpshare::bench {

namespace {

void RunProgram(char** environment) {
  char* const command[] = {const_cast<char*>("/bin/true"), nullptr};
  pid_t child;
  if (posix_spawn(&child, command[0], nullptr, nullptr, command, environment) != 0) {
    perror("/bin/true");
    exit(1);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

void MeasureProcessStart() {
  std::string preload = "LD_PRELOAD=" + testing::kInterposerDir + "/libcuda.so.1";
  char* bare[] = {nullptr};
  char* hooked[] = {preload.data(), nullptr};
  Print("process_start", "no_tenant", 0,
        Alternate(1000, 1, [&] { RunProgram(bare); }, [&] { RunProgram(hooked); }, [] {}));
}

}  // namespace warpshare::bench
