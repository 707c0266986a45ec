// What a program does to its own process between driver calls: forks, new identities, closed
// descriptors.
#pragma once

namespace warpshare::testing {

// The rest of the steps go on in a child, made by fork() or a raw clone; the caller waits and ends
// as the child did. Returns in the child only.
void ContinueInFork();
void ContinueInRawClone();

// The program anew with other words in a child that shares our memory until it has them, as
// posix_spawn does it. Returns once it has ended.
void SpawnSelf(char** words);

// The same program anew, with the remaining steps.
void ExecSelf(char** steps);

// The same program anew with the same words, of which it leaves out those before `step`: its stack
// begins where ours does, unless the system places stacks at random.
void ExecSelfAlike(char** words, int step);
// Which step to begin with; 0 for a program that was not started so.
int FirstStep();

// Each prints what came of it.
void BecomeUser(int uid);
void ChangeRoot(const char* folder);
void CloseDescriptorsFrom(int first);
void PrintMappings(const char* what);  // lines of /proc/self/maps that contain it
void PrintSignalDispositions();        // those that are not the default
void PrintUmask();
void PrintVariable(const char* name);
void PrintStack();  // where it begins

// "NAME=VALUE" becomes part of the environment itself, in memory that is read-only.
void PutConstantVariable(const char* text);

}  // namespace warpshare::testing
