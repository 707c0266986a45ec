// A simulated machine of one run of the bench: its world, the state of `warpshare`, and the
// environment in which a program meets them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "bench/share/stage/scratch_folder.h"
#include "run_program.h"

namespace warpshare::bench {

struct Build {
  std::string folder;  // with bin/ and lib/
  static Build OfThisProgram();
  std::string Program(const std::string& name) const { return folder + "/bin/" + name; }
  std::string Library(const std::string& name) const { return folder + "/lib/" + name; }
};

class SimMachine {
 public:
  // `more`: lines of the scenario, about every card.
  SimMachine(Build build, int cards, const std::string& more = {});
  const Build& build() const { return build_; }
  std::string world() const { return folder() + "/world"; }
  const std::string& folder() const { return folder_.path(); }
  bool shares_compute() const { return shares_compute_; }  // this build's `warpshare` knows how

  testing::Environment Bare() const;    // programs meet the simulated driver
  testing::Environment Tenant() const;  // of `warpshare`

  // `warpshare` with these words; its output. Ends the bench if it fails.
  std::string Warpshare(const std::vector<std::string>& words) const;

  pid_t Arbiter() const;      // of the process that is it; 0: none runs
  void StartArbiter() const;  // as the next command that needs it would

 private:
  Build build_;
  const ScratchFolder folder_{"warpshare-share-"};
  bool shares_compute_ = false;
};

}  // namespace warpshare::bench
