#include <unistd.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/io.hpp>
#include <boost/process/pipe.hpp>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include "platform/kube/program_output.h"

namespace warpshare::kube {
namespace {

namespace process = boost::process;

constexpr size_t kMostBytes = 1024 * 1024;

// Boost's own search wants another library of it linked.
std::string PathOf(const std::string& program) {
  const char* path = std::getenv("PATH");
  if (program.find('/') != std::string::npos || path == nullptr) return program;
  std::string folder;
  for (std::istringstream folders(path); std::getline(folders, folder, ':');) {
    const std::string candidate = folder + '/' + program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

std::string ReadToEnd(process::ipstream& output) {
  std::string text;
  for (char piece[4096]; output.read(piece, sizeof(piece)) || output.gcount() != 0;) {
    text.append(piece, static_cast<size_t>(output.gcount()));
    if (text.size() > kMostBytes) break;
  }
  return text;
}

Result<std::string> Run(const ProgramCall& call, const std::string& path) {
  process::environment environment = boost::this_process::environment();
  for (const auto& [name, value] : call.environment) environment[name] = value;
  process::ipstream output;
  std::error_code error;
  process::child child =
      call.reads_input
          ? process::child(path, process::args(call.arguments), environment,
                           process::std_out > output, error)
          : process::child(path, process::args(call.arguments), environment,
                           process::std_out > output, process::std_in < process::null, error);
  if (error) return Fail(Errc::kNotFound, "cannot be started: " + error.message());
  std::string text = ReadToEnd(output);
  if (text.size() > kMostBytes) {
    child.terminate();
    return Fail(Errc::kInvalid, "printed more than 1 MiB");
  }
  child.wait();
  if (child.exit_code() != 0)
    return Fail(Errc::kUnavailable, "ended with code " + std::to_string(child.exit_code()));
  return text;
}

}  // namespace

// The library throws; its exceptions end here.
Result<std::string> OutputOf(const ProgramCall& call) {
  try {
    const std::string path = PathOf(call.program);
    if (path.empty()) return Fail(Errc::kNotFound, "is not in PATH");
    return Run(call, path);
  } catch (const std::exception& error) {
    return Fail(Errc::kUnavailable, error.what());
  }
}

}  // namespace warpshare::kube
