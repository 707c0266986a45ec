#include "interposer/dispatch/driver_library.h"

#include <stdlib.h>

#include <atomic>
#include <cstdint>

#include "abi/names/env.h"
#include "interposer/dispatch/loader.h"
#include "interposer/guest/kernel.h"
#include "interposer/guest/text.h"
#include "interposer/log/log.h"

namespace warpshare::interposer {

namespace {

constexpr const char kUsualFolders[] =
    "/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib64:/lib64:/usr/local/nvidia/lib64:/"
    "usr/local/nvidia/lib:"
    "/usr/lib/wsl/lib:/run/opengl-driver/lib:/usr/lib:/lib";

enum class Found : uint8_t { kUndecided, kNothing, kDriver, kOlderCopy };
constinit std::atomic<Found> g_found = Found::kUndecided;
constinit std::atomic<void*> g_handle = nullptr;

void* TryFolder(const char* folder, size_t length, const char* soname) {
  guest::Path path;
  path.Add(folder, length).Add('/').Add(soname);
  struct stat file;
  if (path.was_cut() || guest::StatPath(path.text(), &file) < 0) return nullptr;
  void* library = OpenLibrary(path.text());
  if (library == nullptr) {
    if (log::IsOn(log::Level::kError)) {
      log::Line(log::Level::kError).Add("cannot load the driver ").Add(path.text());
    }
  } else if (IsCopyOfOurs(library, soname)) {
    library = nullptr;
  } else if (log::IsOn(log::Level::kInfo)) {
    log::Line(log::Level::kInfo).Add("driver is ").Add(path.text());
  }
  return library;
}

// Folders between colons; empty ones, which the loader takes for the current directory, are left
// out.
void* TryFolders(const char* folders, const char* soname) {
  for (const char* at = folders; *at != '\0';) {
    size_t length = 0;
    while (at[length] != '\0' && at[length] != ':') ++length;
    void* library = length == 0 ? nullptr : TryFolder(at, length, soname);
    if (library != nullptr) return library;
    at += length + (at[length] == ':' ? 1 : 0);
  }
  return nullptr;
}

void* SearchDriver(const char* soname) {
  if (const char* named = secure_getenv(abi::kEnvDriverDir); named != nullptr && *named != '\0') {
    return TryFolder(named, guest::LengthOf(named), soname);
  }
  const char* folders = secure_getenv("LD_LIBRARY_PATH");
  void* library = folders == nullptr ? nullptr : TryFolders(folders, soname);
  return library != nullptr ? library : TryFolders(kUsualFolders, soname);
}

// Two threads may both decide; they find the same, and a second dlopen only counts.
Found Decide(const char* soname) {
  if (const char* older = OlderCopy(soname); older != nullptr) {
    if (log::IsOn(log::Level::kInfo)) {
      log::Line(log::Level::kInfo).Add("a copy of this library came first: ").Add(older);
    }
    g_handle.store(ReopenLibrary(older));
    return Found::kOlderCopy;
  }
  void* library = SearchDriver(soname);
  if (library == nullptr) {
    log::Say(log::Level::kError, "no driver found; WARPSHARE_DRIVER_DIR names its directory");
    return Found::kNothing;
  }
  g_handle.store(library);
  return Found::kDriver;
}

}  // namespace

DriverLibrary FindDriver(const char* soname) {
  Found found = g_found.load(std::memory_order_acquire);
  if (found == Found::kUndecided) {
    found = Decide(soname);
    g_found.store(found, std::memory_order_release);
  }
  return {.handle = g_handle.load(std::memory_order_relaxed),
          .is_copy = found == Found::kOlderCopy};
}

void* OpenBesideDriver(const char* soname) {
  const char* own = OwnPath();
  if (own == nullptr) return nullptr;
  size_t folder = 0;
  for (size_t i = 0; own[i] != '\0'; ++i) {
    if (own[i] == '/') folder = i + 1;
  }
  guest::Path sibling;
  sibling.Add(own, folder).Add(soname);
  return sibling.was_cut() || OpenLibrary(sibling.text()) == nullptr ? nullptr
                                                                     : SearchDriver(soname);
}

}  // namespace warpshare::interposer
