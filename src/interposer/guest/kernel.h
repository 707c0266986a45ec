// System calls made directly, so that the guest library needs little of libc, leaves errno alone
// and is not led astray by another preloaded library. Every function returns the kernel's answer:
// >= 0, or -errno.
#pragma once

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#include <sys/mman.h>
#define WARPSHARE_THREAD_SANITIZER
#endif
#endif

namespace warpshare::guest {

#if !defined(__x86_64__)
#error "the interposer's system calls and trampolines are written for x86-64"
#endif

inline long SystemCall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                       long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline long Word(const volatile void* pointer) { return reinterpret_cast<long>(pointer); }

inline int Open(const char* path, int flags, int mode = 0) {
  return static_cast<int>(SystemCall(SYS_openat, AT_FDCWD, Word(path), flags | O_CLOEXEC, mode));
}
inline int Close(int fd) { return static_cast<int>(SystemCall(SYS_close, fd)); }
inline long Read(int fd, void* buffer, size_t bytes) {
  return SystemCall(SYS_read, fd, Word(buffer), static_cast<long>(bytes));
}
inline long Write(int fd, const void* buffer, size_t bytes) {
  return SystemCall(SYS_write, fd, Word(buffer), static_cast<long>(bytes));
}
inline int StatFd(int fd, struct stat* result) {
  return static_cast<int>(SystemCall(SYS_fstat, fd, Word(result)));
}
inline int StatPath(const char* path, struct stat* result) {
  return static_cast<int>(SystemCall(SYS_stat, Word(path), Word(result)));
}
inline int Control(int fd, int command, long argument) {
  return static_cast<int>(SystemCall(SYS_fcntl, fd, command, argument));
}
// Makes the file's bytes [offset, offset + bytes) exist, so that a full disk is an error here and
// not a SIGBUS later.
inline int Allocate(int fd, long offset, long bytes) {
  return static_cast<int>(SystemCall(SYS_fallocate, fd, /*mode=*/0, offset, bytes));
}
inline long ReadLink(const char* path, char* buffer, size_t bytes) {
  return SystemCall(SYS_readlinkat, AT_FDCWD, Word(path), Word(buffer), static_cast<long>(bytes));
}

// mmap's answer is an address or -errno in the last page of the address space.
inline void* Map(size_t bytes, int protection, int flags, int fd, long offset) {
  const long result =
      SystemCall(SYS_mmap, 0, static_cast<long>(bytes), protection, flags, fd, offset);
  return result < 0 && result > -4096 ? nullptr : reinterpret_cast<void*>(result);
}
inline void Unmap(void* address, size_t bytes) {
#ifdef WARPSHARE_THREAD_SANITIZER
  // It sees libc's calls only, and would take the next mapping at this address for the old one. It
  // forgets no more than it is told, so whole pages.
  munmap(address, (bytes + 4095) & ~size_t{4095});
#else
  SystemCall(SYS_munmap, Word(address), static_cast<long>(bytes));
#endif
}
inline int Advise(void* address, size_t bytes, int advice) {
  return static_cast<int>(SystemCall(SYS_madvise, Word(address), static_cast<long>(bytes), advice));
}

inline int ProcessId() { return static_cast<int>(SystemCall(SYS_getpid)); }
inline int ThreadId() { return static_cast<int>(SystemCall(SYS_gettid)); }
// Asks whether a process exists; sends nothing.
inline int ProbeProcess(int pid) { return static_cast<int>(SystemCall(SYS_kill, pid, 0)); }

// By the vDSO: a few ns. The coarse clock has the resolution of a timer tick, 1 to 10 ms.
inline uint64_t NanosecondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}
inline uint64_t CoarseNow() { return NanosecondsOf(CLOCK_MONOTONIC_COARSE); }
inline uint64_t Now() { return NanosecondsOf(CLOCK_MONOTONIC); }

inline timespec Duration(uint64_t ns) {
  return {.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
          .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
}
// Late by the thread's timer slack, 50 us unless the program changed it.
inline void Sleep(uint64_t ns) {
  const timespec duration = Duration(ns);
  SystemCall(SYS_nanosleep, Word(&duration), 0);
}
inline void Yield() { SystemCall(SYS_sched_yield); }
// Of a word that other processes wake on too; `ns` at most.
inline void WaitShared(const volatile void* word, uint32_t value, uint64_t ns) {
  const timespec duration = Duration(ns);
  SystemCall(SYS_futex, Word(word), FUTEX_WAIT, value, Word(&duration));
}
inline void WakeShared(const volatile void* word) {
  SystemCall(SYS_futex, Word(word), FUTEX_WAKE, INT32_MAX);
}

}  // namespace warpshare::guest
