// Start of the driver, and of this process as a part of its tenant.
#include <stdlib.h>

#include <atomic>

#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/log/log.h"
#include "interposer/session/session.h"
#include "interposer/session/visible_devices.h"

using namespace warpshare::interposer;

namespace {

constexpr char kVisibleDevices[] = "CUDA_VISIBLE_DEVICES";

// The driver has read the variable, and does not look at it again.
std::atomic<bool> g_has_read = false;

// The variable, while the driver starts: it is all that tells it which cards to show. In every
// tenant, as nobody could set it before a container started, and a program may have changed what it
// was. Then it is again what the program knows of: many (vLLM, Zeus) read it themselves, and their
// children do, as a list of numbers. Those count among the granted cards, as NVML's do.
//
// Not written in place: the value may be the program's own constant (putenv), and another thread
// could read half of it. glibc's setenv takes its lock against other writers and never frees a
// value. A reader without the lock (getenv) sees the old pointer or the new one; only a variable
// that was not there, after the program added some of its own, moves the table under such a
// reader, as any setenv of the program's would. It goes from the table's end, where it came to.
class GrantedCardsShown {
 public:
  explicit GrantedCardsShown(const Session& session) : wanted_(getenv(kVisibleDevices)) {
    VisibleDevices visible;
    ComposeVisibleDevices(wanted_, session.limits(), visible);
    if (wanted_ != nullptr && warpshare::guest::SameText(wanted_, visible.text())) return;
    is_set_ = setenv(kVisibleDevices, visible.text(), 1) == 0;
    if (!is_set_) {
      log::Say(
          log::Level::kError,
          "CUDA_VISIBLE_DEVICES cannot be set: cards that were not granted are seen, with limit 0");
    } else if (log::IsOn(log::Level::kInfo)) {
      log::Line(log::Level::kInfo).Add("the driver is shown ").Add(visible.text());
    }
  }
  ~GrantedCardsShown() {
    if (!is_set_) return;
    if (wanted_ == nullptr) {
      unsetenv(kVisibleDevices);
    } else {
      putenv(const_cast<char*>(wanted_) - sizeof(kVisibleDevices));  // the entry that it is in
    }
  }
  GrantedCardsShown(const GrantedCardsShown&) = delete;
  GrantedCardsShown& operator=(const GrantedCardsShown&) = delete;

 private:
  const char* wanted_;
  bool is_set_ = false;
};

CUresult Init(const Session& session, unsigned int flags) {
  const GrantedCardsShown shown(session);
  const CUresult result = REAL(cuInit)(flags);
  if (result == CUDA_SUCCESS) g_has_read.store(true, std::memory_order_relaxed);
  return result;
}

}  // namespace

// A tenant whose directory cannot be used gets an error that says "the system, not your program"
// (docs/decisions/0002-fail-open-or-closed.md).
WARPSHARE_HOOK CUresult cuInit(unsigned int flags) {
  if (HasDriver()) {
    const Session* session = Session::Current();
    if (session != nullptr && session->IsClosed()) return CUDA_ERROR_OPERATING_SYSTEM;
    if (session != nullptr && !g_has_read.load(std::memory_order_relaxed))
      return Init(*session, flags);
  }
  return REAL(cuInit)(flags);
}
