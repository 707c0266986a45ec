#include "tenant_program/process_steps.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace warpshare::testing {

namespace {

// Three digits, set before the first start: so the environment is of one size.
constexpr char kFirstStep[] = "TENANT_PROGRAM_STEP";

void EndAs(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) printf("child died of signal %d\n", WTERMSIG(status));
  fflush(stdout);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

}  // namespace

void ContinueInFork() {
  fflush(stdout);
  const pid_t child = fork();
  if (child != 0) EndAs(child);
}

void ContinueInRawClone() {
  fflush(stdout);
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (child != 0) EndAs(child);
}

void SpawnSelf(char** words) {
  fflush(stdout);
  alignas(16) static char stack[64 << 10];
  const auto run = [](void* given) {
    auto** argv = static_cast<char**>(given);
    execv(argv[0], argv);
    return 127;
  };
  const pid_t child = clone(run, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
                            static_cast<void*>(words));
  int status = 0;
  waitpid(child, &status, 0);
  printf("spawned %d\n", status);
}

void ExecSelfAlike(char** words, int step) {
  fflush(stdout);
  char number[8];
  snprintf(number, sizeof(number), "%03d", step);
  setenv(kFirstStep, number, 1);
  execv(words[0], words);
  perror("execv");
}

int FirstStep() {
  const char* step = getenv(kFirstStep);
  return step == nullptr ? 0 : atoi(step);
}

void ExecSelf(char** steps) {
  fflush(stdout);
  std::string self(4096, '\0');
  const ssize_t length = readlink("/proc/self/exe", self.data(), self.size());
  self.resize(length > 0 ? static_cast<size_t>(length) : 0);
  execv(self.c_str(), steps);
  perror("execv");
}

void BecomeUser(int uid) {
  const auto id = static_cast<unsigned>(uid);
  printf("setuid %s\n", setgid(id) == 0 && setuid(id) == 0 ? "ok" : "failed");
}

void ChangeRoot(const char* folder) {
  printf("chroot %s\n", chroot(folder) == 0 && chdir("/") == 0 ? "ok" : "failed");
}

void CloseDescriptorsFrom(int first) {
  for (int fd = first; fd < 4096; ++fd) close(fd);
}

void PrintMappings(const char* what) {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find(what) != std::string::npos;
  printf("mappings %d\n", count);
}

void PrintSignalDispositions() {
  printf("signals");
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_DFL)
      printf(" %d", number);
  }
  printf("\n");
}

void PrintUmask() {
  const mode_t mask = umask(0);
  umask(mask);
  printf("umask %03o\n", mask);
}

void PrintVariable(const char* name) {
  const char* value = getenv(name);
  printf("variable %s\n", value == nullptr ? "is not set" : value);
}

void PrintStack() {
  std::ifstream stat("/proc/self/stat");
  std::string field;
  for (int number = 1; number <= 28; ++number) stat >> field;
  printf("stack %s\n", field.c_str());
}

void PutConstantVariable(const char* text) {
  const size_t bytes = strlen(text) + 1;
  void* page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return perror("mmap");
  memcpy(page, text, bytes);
  mprotect(page, bytes, PROT_READ);
  putenv(static_cast<char*>(page));
}

}  // namespace warpshare::testing
