// Code that comes onto a card after it was loaded. A library goes into a context when something of
// it is first asked for or launched there; drivers load functions when they are first used. The
// first use of a library in a context is measured as a load is (overhead.h), of each function what
// little it may be beyond that (late_growth.h), and charged until the code is unloaded or the
// context ends.
//
// A use that was met before costs a look (functions.h). Kernels of libraries (CUkernel) stand for
// another function in each context, so theirs costs asking for the context, too.
#pragma once

#include <cstdint>

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/driver_call.h"

namespace warpshare::interposer {

// What a function is asked for. Each may be what loads it, or more of it.
enum class Use : uint8_t { kLookUp = 1, kAsk, kLoad, kLaunch };

inline uint64_t KeyOfUse(CUfunction function, Use use) {
  return reinterpret_cast<uint64_t>(function) | uint64_t{static_cast<uint8_t>(use)} << 60;
}

// `call` uses `function`, which may be a kernel. Of a stream that records, it uses nothing yet.
[[gnu::cold]] CUresult UseUnseen(CUfunction function, Use use, CUstream stream, DriverCall call);
template <typename Call>
[[gnu::always_inline]] inline CUresult UseFunction(CUfunction function, Use use, CUstream stream,
                                                   Call call) {
  const bool is_seen = Accounts::Peek().functions.IsSeen(KeyOfUse(function, use));
  if (is_seen || Session::Current() == nullptr) [[likely]]
    return call();
  return UseUnseen(function, use, stream, call);
}

// `call` is the driver's function, of the same meaning.
CUresult LookUpFunction(CUfunction* function, CUmodule module, const char* name, DriverCall call);
CUresult LookUpKernel(CUkernel* kernel, CUlibrary library, DriverCall call);
CUresult ListKernels(CUkernel* kernels, uint32_t count, CUlibrary library, DriverCall call);
CUresult FindFunction(CUfunction* function, CUkernel kernel, DriverCall call);
CUresult FindModule(CUmodule* module, CUlibrary library, DriverCall call);
// What may bring the library into the current context.
CUresult NeedLibrary(CUlibrary library, DriverCall call);

// Takes out what is known of code that is about to be unloaded, and gives its bytes back; Undo if
// the driver refused.
class LateCodeGoes {
 public:
  explicit LateCodeGoes(const void* code);
  void End(bool is_gone);

 private:
  const uint64_t code_;
};

// The key of an entry of Accounts::code that is given another owner.
uint64_t KeyWithOwner(uint64_t key, const Live& live, uint64_t owner);

}  // namespace warpshare::interposer
