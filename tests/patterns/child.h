// Another process of the same tenant: this program again, which does one thing with what it is
// given and says whether all went well.
#pragma once

#include <sys/types.h>

#include <string>

#include "tests/patterns/check.h"

namespace warpshare::patterns {

// Starts it to do `task` (kTasks in child.cc) with `argument`; -1 if it cannot be started.
pid_t StartChild(const Tenant& tenant, const char* task, const std::string& argument);
bool IsWell(pid_t child);  // waits for its end

// What such a process does; its exit code.
int RunChild(const char* task, const char* argument);

// Handles as an argument.
std::string ToHex(const void* bytes, size_t count);
bool FromHex(const char* text, void* bytes, size_t count);

// The tasks: with a context, and `argument` as it was given.
Outcome ReadMemory(Tenant& tenant, const char* argument);
Outcome ReadMemoryOpenedTwice(Tenant& tenant, const char* argument);
Outcome ReadMemoryAfterEvent(Tenant& tenant, const char* argument);
Outcome MapSegment(Tenant& tenant, const char* argument);

}  // namespace warpshare::patterns
