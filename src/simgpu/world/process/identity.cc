#include "simgpu/world/process/identity.h"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <fstream>
#include <sstream>

namespace simgpu::world {
namespace {

// Field 22 of /proc/self/stat. The second field, the name, may hold spaces and brackets: count from
// its end.
uint64_t StartTime() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  const size_t bracket = text.rfind(')');
  if (bracket == std::string::npos) return 0;
  std::istringstream fields(text.substr(bracket + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  uint64_t start = 0;
  fields >> start;
  return start;
}

// The program as it was called (a script's interpreter, too), as the NVIDIA driver reports it.
std::string ProgramName() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string name;
  std::getline(file, name, '\0');
  if (!name.empty()) return name;
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : "";
}

}  // namespace

Identity IdentityOfSelf() {
  Identity self;
  self.pid = getpid();
  self.uid = getuid();
  self.start_time = StartTime();
  self.name = ProgramName();
  struct stat status;
  if (stat("/proc/self/ns/pid", &status) == 0) self.pid_namespace = status.st_ino;
  return self;
}

}  // namespace simgpu::world
