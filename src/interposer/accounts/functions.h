// Which code a function is of, and what it was used for already: by handle, and by keys of uses
// that late_code.h and graph_code.h make. What is used often is seen by one look (seen.h).
#pragma once

#include <cstdint>

#include "interposer/accounts/live_table.h"
#include "interposer/accounts/seen.h"

namespace warpshare::interposer {

class Functions {
 public:
  enum class Kind : uint8_t { kNone = 0, kFunction, kKernel, kUse, kModule };

  // Remembers a CUfunction or a CUkernel, and the module or library that it goes with; or a
  // CUmodule that is what a library is in a context, and that library.
  void Enter(uint64_t handle, Kind kind, uint64_t code);
  // What the handle is; `code` is set if it is known.
  Kind Find(uint64_t handle, uint64_t& code);

  // Whether a use is known, by a look that may miss it; and for sure.
  bool IsSeen(uint64_t use) const { return seen_.Has(use); }
  bool IsMet(uint64_t use);
  void Meet(uint64_t use, uint64_t code);
  void See(uint64_t use) { seen_.Add(use); }
  void Forget(uint64_t use);

  // The code is about to go, and its functions with it; or contexts, and all functions in them.
  void ForgetOf(uint64_t code);
  void ForgetAllButKernels();

 private:
  LiveTable entries_;  // owner: the code
  Seen seen_;
};

}  // namespace warpshare::interposer
