// What a program does to its own process between driver calls: forks, new identities, closed
// descriptors.
#pragma once

namespace warpshare::testing {

// The rest of the steps go on in a child, made by fork(), vfork-like clone or a raw clone; the
// caller waits and ends as the child did. Returns in the child only.
void ContinueInFork();
void ContinueInRawClone();

// The same program anew, with the remaining steps.
void ExecSelf(char** steps);

// Each prints what came of it.
void BecomeUser(int uid);
void ChangeRoot(const char* folder);
void CloseDescriptorsFrom(int first);
void PrintMappings(const char* what);  // lines of /proc/self/maps that contain it
void PrintSignalDispositions();        // those that are not the default
void PrintUmask();
void PrintVariable(const char* name);

// "NAME=VALUE" becomes part of the environment itself, in memory that is read-only.
void PutConstantVariable(const char* text);

}  // namespace warpshare::testing
