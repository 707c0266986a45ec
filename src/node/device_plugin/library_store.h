// Copies of our libraries for containers, each version in a folder of its own that is never written
// to again: an upgrade of the daemon leaves what runs as it is, and what runs finds its version
// also when it starts again. The folder must outlast the machine's restart, as the kubelet's record
// does.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "result/result.h"

namespace warpshare::node {

struct LibraryFile {
  std::string name;  // in the folder
  std::string text;  // what is in it
};

// The two libraries of a folder of ours, by their sonames.
Result<std::vector<LibraryFile>> ReadLibraries(const std::string& folder);

class LibraryStore {
 public:
  // `path` is made if it is not there.
  static Result<LibraryStore> Open(const std::string& path);

  // The folder that has these files, named by `kind`, version and content; copied if it is new.
  Result<std::string> Install(const std::string& kind, const std::vector<LibraryFile>& files);

  // Removes folders that neither this object installed nor anything of `host_paths` is in.
  void Prune(const std::set<std::string>& host_paths);

 private:
  explicit LibraryStore(std::string path) : path_(std::move(path)) {}

  std::string path_;  // absolute
  std::set<std::string> installed_;
};

}  // namespace warpshare::node
