// The dynamic loader, for a library that must itself load on glibc 2.17 to today: dlopen moved from
// libdl to libc in 2.34, and linking against either name would shut out the other half.
#pragma once

#include <cstddef>

namespace warpshare::interposer {

// Opens a library for this process alone (RTLD_LOCAL); null if that fails or no loader function can
// be found.
void* OpenLibrary(const char* path);
// A handle of a library that is loaded already, by the name the loader gave it.
void* ReopenLibrary(const char* path);
void* FindSymbol(void* library, const char* symbol);

// Every copy of ours carries a note with the SONAME it stands for. So a copy is known for what it
// is whatever its path and inode, and without an exported symbol.
//
// The path of the first library in load order that is a copy of ours for `soname`; null if that is
// this very one.
const char* OlderCopy(const char* soname);
bool IsCopyOfOurs(void* library, const char* soname);
// Where the loader found this very library; null if it was given no path.
const char* OwnPath();

}  // namespace warpshare::interposer
