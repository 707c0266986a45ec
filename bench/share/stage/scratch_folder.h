// A folder in shared memory for one run. It goes with the object; that of a run that was killed
// goes when the next is made.
#pragma once

#include <string>

namespace warpshare::bench {

class ScratchFolder {
 public:
  // Its name is `prefix` and six letters. Ends the program if it cannot be made.
  explicit ScratchFolder(const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;  // of the folder itself, for as long as this process lives
};

}  // namespace warpshare::bench
