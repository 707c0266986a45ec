#include "interposer/accounts/late_code.h"

#include "interposer/accounts/charged.h"
#include "interposer/accounts/late_growth.h"
#include "interposer/accounts/overhead.h"
#include "interposer/accounts/stream_order.h"
#include "interposer/compute/metering.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/session/patience.h"

namespace warpshare::interposer {

namespace {

// The kind of an entry of Accounts::code: what came later than the code, in its owner.
constexpr uint8_t kLate = static_cast<uint8_t>(Charged::kItself) | 0x80;

uint64_t Number(const void* handle) { return reinterpret_cast<uint64_t>(handle); }

// The same in a context. Handles are addresses below 2^48.
uint64_t InContext(uint64_t key, uint64_t context) { return key ^ (context << 32 | context >> 32); }

// Of a kernel, whatever it is used for: that it is one.
uint64_t KeyOfKernel(CUfunction kernel) { return Number(kernel) | uint64_t{0xf} << 60; }

uint64_t KeyOfName(CUmodule module, const char* name) {
  constexpr uint64_t kPrime = 0x100000001b3;  // FNV-1a's
  uint64_t hash = Number(module) * kPrime;
  for (; *name != '\0'; ++name) hash = (hash ^ static_cast<uint8_t>(*name)) * kPrime;
  return hash | uint64_t{1} << 63;
}

Functions& Known() { return Accounts::OfProcess().functions; }

// Adds to what `code` has taken in the place's context, and is charged already.
void EnterLate(uint64_t code, const Place& place, uint64_t bytes) {
  LiveTable& entries = Accounts::OfProcess().code;
  const uint64_t key = InContext(code, OwnerOf(place.context));
  const auto add = [bytes](Live& live) { live.bytes += bytes; };
  Live late = ChargedItself(place, bytes);
  late.kind = kLate;
  if (entries.Update(key, add)) return;
  Live other;
  const LiveTable::Added added = entries.Add(key, late, other);
  if (added == LiveTable::Added::kNoMemory) place.account->GiveBack(bytes);
  if (added != LiveTable::Added::kReplaced) return;
  (void)entries.Update(key, [&other](Live& live) { live.bytes += other.bytes; });
}

// What `call` takes beyond what is known of, for `code`.
CUresult Measure(const Place& place, uint64_t code, DriverCall call) {
  LateGrowth growth(place);
  const CUresult result = call();
  growth.Charge([&](uint64_t bytes) { EnterLate(code, place, bytes); });
  return result;
}

bool IsNeeded(uint64_t library, const Place& place) {
  Live live;
  return Accounts::OfProcess().code.Find(InContext(library, OwnerOf(place.context)), live);
}

// `is_told`: the program learns that it does not fit; of a launch it cannot, as that has been made.
CUresult MeasureLoad(uint64_t library, const Place& place, bool is_told, DriverCall call) {
  Live live;
  const bool is_loaded_here =
      Accounts::OfProcess().code.Find(library, live) && live.owner == OwnerOf(place.context);
  OverheadCall overhead(place, is_loaded_here ? Overhead::kOther : Overhead::kCode);
  if (!overhead.Begin()) return CUDA_ERROR_OUT_OF_MEMORY;
  if (const CUresult result = call(); result != CUDA_SUCCESS) {
    overhead.Cancel();
    return result;
  }
  uint64_t bytes = 0;
  // It cannot be undone, so it counts over the limit too, and the next call finds it there.
  const bool fits = overhead.End(bytes);
  if (!fits) place.account->ChargeTaken(bytes);
  EnterLate(library, place, bytes);
  return fits || !is_told ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

// The first use of a library in a context. Two at once would both be taken for what loads it, so
// the second waits and is measured as what may have taken nothing. Not for long: the first may be a
// launch that waits for what this thread is about to launch.
CUresult Need(uint64_t library, const Place& place, bool is_told, DriverCall call) {
  constexpr uint64_t kMostWaitNs = 100'000'000;
  Patience patience(*Session::Current(), kMostWaitNs);
  guest::Lock& needing = Accounts::OfProcess().needing_library;
  while (!needing.TryAcquire()) {
    if (!patience.Wait()) return Measure(place, library, call);
  }
  if (IsNeeded(library, place)) {
    needing.Release();
    return Measure(place, library, call);
  }
  const CUresult result = MeasureLoad(library, place, is_told, call);
  needing.Release();
  return result;
}

CUresult Meet(uint64_t use, uint64_t code, CUresult result) {
  if (result == CUDA_SUCCESS) Known().Meet(use, code);
  return result;
}

CUresult UseKernel(CUfunction kernel, Use use, uint64_t library, DriverCall call) {
  const Place place = CurrentPlace();
  if (!place) return call();
  const uint64_t key = InContext(KeyOfUse(kernel, use), OwnerOf(place.context));
  if (Known().IsMet(key)) return call();
  // A question loads nothing, as a rule.
  if (use == Use::kAsk || IsNeeded(library, place))
    return Meet(key, library, Measure(place, library, call));
  return Meet(key, library, Need(library, place, /*is_told=*/use == Use::kLookUp, call));
}

// Of a kernel that was used in this context before.
bool IsSeenKernel(CUfunction function, Use use) {
  const Functions& known = Known();
  CUcontext context = nullptr;
  return known.IsSeen(KeyOfKernel(function)) && REAL(cuCtxGetCurrent)(&context) == CUDA_SUCCESS &&
         context != nullptr && known.IsSeen(InContext(KeyOfUse(function, use), OwnerOf(context)));
}

void EnterKernel(CUkernel kernel, CUlibrary library) {
  uint64_t code = 0;
  if (Known().Find(Number(kernel), code) == Functions::Kind::kKernel && code == Number(library))
    return;
  Known().Enter(Number(kernel), Functions::Kind::kKernel, Number(library));
}

}  // namespace

CUresult UseUnseen(CUfunction function, Use use, CUstream stream, DriverCall call) {
  if (function == nullptr || IsSeenKernel(function, use)) return call();
  if (use == Use::kLaunch && Metering::MayCapture() && IsCapturing(stream)) use = Use::kAsk;
  const uint64_t key = KeyOfUse(function, use);
  if (Known().IsMet(key)) return call();
  uint64_t code = 0;
  if (Known().Find(Number(function), code) == Functions::Kind::kKernel) {
    Known().See(KeyOfKernel(function));
    return UseKernel(function, use, code, call);
  }
  const Place place = CurrentPlace();
  return place ? Meet(key, code, Measure(place, code, call)) : call();
}

CUresult LookUpFunction(CUfunction* function, CUmodule module, const char* name, DriverCall call) {
  const bool is_asked = function != nullptr && module != nullptr && name != nullptr;
  const Place place = is_asked ? CurrentPlace() : Place{};
  if (!place) return call();
  const uint64_t key = KeyOfName(module, name);
  uint64_t code = 0;
  if (Known().Find(key, code) == Functions::Kind::kUse) return call();
  const bool is_librarys = Known().Find(Number(module), code) == Functions::Kind::kModule;
  if (!is_librarys) code = Number(module);
  const CUresult result = Measure(place, code, call);
  if (result != CUDA_SUCCESS) return result;
  Known().Enter(Number(*function), Functions::Kind::kFunction, code);
  Known().Enter(key, Functions::Kind::kUse, code);
  return result;
}

CUresult LookUpKernel(CUkernel* kernel, CUlibrary library, DriverCall call) {
  const CUresult result = call();
  if (result == CUDA_SUCCESS && kernel != nullptr && Session::Current() != nullptr) {
    EnterKernel(*kernel, library);
  }
  return result;
}

CUresult ListKernels(CUkernel* kernels, uint32_t count, CUlibrary library, DriverCall call) {
  const CUresult result = call();
  unsigned int there = 0;
  if (result != CUDA_SUCCESS || kernels == nullptr || Session::Current() == nullptr ||
      REAL(cuLibraryGetKernelCount)(&there, library) != CUDA_SUCCESS) {
    return result;
  }
  for (uint32_t i = 0; i < count && i < there; ++i) EnterKernel(kernels[i], library);
  return result;
}

CUresult FindFunction(CUfunction* function, CUkernel kernel, DriverCall call) {
  uint64_t code = 0;
  CUlibrary library = nullptr;
  if (kernel == nullptr || Session::Current() == nullptr) return call();
  if (Known().Find(Number(kernel), code) == Functions::Kind::kNone &&
      REAL(cuKernelGetLibrary)(&library, kernel) == CUDA_SUCCESS) {
    EnterKernel(kernel, library);
  }
  const CUresult result =
      UseFunction(reinterpret_cast<CUfunction>(kernel), Use::kLookUp, nullptr, call);
  uint64_t known = 0;
  const bool is_new = result == CUDA_SUCCESS && function != nullptr &&
                      Known().Find(Number(*function), known) == Functions::Kind::kNone &&
                      Known().Find(Number(kernel), code) == Functions::Kind::kKernel;
  if (is_new) Known().Enter(Number(*function), Functions::Kind::kFunction, code);
  return result;
}

CUresult FindModule(CUmodule* module, CUlibrary library, DriverCall call) {
  const CUresult result = NeedLibrary(library, call);
  if (result == CUDA_SUCCESS && module != nullptr && Session::Current() != nullptr)
    Known().Enter(Number(*module), Functions::Kind::kModule, Number(library));
  return result;
}

CUresult NeedLibrary(CUlibrary library, DriverCall call) {
  const Place place = library == nullptr ? Place{} : CurrentPlace();
  if (!place || IsNeeded(Number(library), place)) return call();
  return Need(Number(library), place, /*is_told=*/true, call);
}

LateCodeGoes::LateCodeGoes(const void* code) : code_(Number(code)) {
  Accounts& accounts = Accounts::OfProcess();
  const auto is_its = [this](uint64_t key, const Live& live) {
    return live.kind == kLate && key == InContext(code_, live.owner);
  };
  accounts.code.TakeIf(is_its, [&accounts](uint64_t key, const Live& live) {
    Live dead;
    // Without memory to remember it in, it stays charged.
    (void)accounts.late_code_that_goes.Add(key, live, dead);
  });
  accounts.functions.ForgetOf(code_);
}

void LateCodeGoes::End(bool is_gone) {
  Accounts& accounts = Accounts::OfProcess();
  const auto is_its = [this](uint64_t key, const Live& live) {
    return key == InContext(code_, live.owner);
  };
  accounts.late_code_that_goes.TakeIf(is_its, [=, &accounts](uint64_t key, const Live& live) {
    if (is_gone || !accounts.code.PutBack(key, live)) Bury(live);
  });
}

uint64_t KeyWithOwner(uint64_t key, const Live& live, uint64_t owner) {
  return live.kind == kLate ? InContext(InContext(key, live.owner), owner) : key;
}

}  // namespace warpshare::interposer
