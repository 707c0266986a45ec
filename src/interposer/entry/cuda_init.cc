// Start of the driver, and of this process as a part of its tenant.
#include <stdlib.h>

#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/log/log.h"
#include "interposer/session/session.h"
#include "interposer/session/visible_devices.h"

using namespace warpshare::interposer;

namespace {

constexpr char kVisibleDevices[] = "CUDA_VISIBLE_DEVICES";

// In every tenant: in a container nobody could set the variable before it started, and elsewhere a
// program may have changed what `warpshare run` set. The variable is all that the driver listens
// to, and stays set, for the libraries and children that read it too.
//
// Not written in place: the value may be the program's own constant (putenv), and another thread
// could read half of it. glibc's setenv takes its lock against other writers and never frees a
// value. A reader without the lock (getenv) sees the old pointer or the new one; only a variable
// that was not there, after the program added some of its own, moves the table under such a
// reader, as any setenv of the program's would.
void ShowGrantedCards(const Session& session) {
  const char* wanted = getenv(kVisibleDevices);
  VisibleDevices visible;
  ComposeVisibleDevices(wanted, session.limits(), visible);
  if (wanted != nullptr && warpshare::guest::SameText(wanted, visible.text())) return;
  if (setenv(kVisibleDevices, visible.text(), 1) != 0) {
    log::Say(
        log::Level::kError,
        "CUDA_VISIBLE_DEVICES cannot be set: cards that were not granted are seen, with limit 0");
  } else if (log::IsOn(log::Level::kInfo)) {
    log::Line(log::Level::kInfo).Add("CUDA_VISIBLE_DEVICES is now ").Add(visible.text());
  }
}

}  // namespace

// A tenant whose directory cannot be used gets an error that says "the system, not your program"
// (docs/decisions/0002-fail-open-or-closed.md).
WARPSHARE_HOOK CUresult cuInit(unsigned int flags) {
  if (HasDriver()) {
    const Session* session = Session::Current();
    if (session != nullptr && session->IsClosed()) return CUDA_ERROR_OPERATING_SYSTEM;
    if (session != nullptr) ShowGrantedCards(*session);
  }
  return REAL(cuInit)(flags);
}
