// Which file is the driver. Opened once per process and library, by its full path and for ourselves
// alone, so that the program's own dlopen("libcuda.so.1") keeps finding us.
//
//   1. WARPSHARE_DRIVER_DIR, if set: nothing else is tried
//   2. the directories of LD_LIBRARY_PATH
//   3. where distributions and container runtimes put it
//
// A copy of ours is never the driver. The one exception: when this library is in the process more
// than once, under several paths, the first one loaded is the driver of the others, which then pass
// everything through. So there is one session and one account, whichever copy a program calls.
#pragma once

namespace warpshare::interposer {

// Never changes once it was decided.
struct DriverLibrary {
  void* handle;  // null: no driver was found
  bool is_copy;  // an older copy of ours, which does what is to be done
};

// `soname`: which library we stand for. Any thread.
DriverLibrary FindDriver(const char* soname);

// Another of the driver's libraries, found the same way; null if there is none. Our own of that
// name is loaded before it and stays first in load order, so that the program's dlopen of the name
// ends at ours; without one beside us, null.
void* OpenBesideDriver(const char* soname);

}  // namespace warpshare::interposer
