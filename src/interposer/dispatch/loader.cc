#include "interposer/dispatch/loader.h"

#include <dlfcn.h>
#include <link.h>

#include "interposer/guest/text.h"

// Versions that every glibc since 2.2.5 has. Weak, as before 2.34 libdl.so.2 has them and the
// program may not have loaded it; then libc's own entries for its internal use serve, which are
// gone since.
asm(".symver dlopen,dlopen@GLIBC_2.2.5");
asm(".symver dlsym,dlsym@GLIBC_2.2.5");
extern "C" {
#pragma weak dlopen
#pragma weak dlsym
__attribute__((weak)) void* __libc_dlopen_mode(const char* path, int mode);
__attribute__((weak)) void* __libc_dlsym(void* library, const char* symbol);
}

// Of this library; laid out by trampoline_x86_64.inc as an ELF note that holds the SONAME.
extern "C" __attribute__((visibility("hidden"))) const char warpshare_copy_note[];

namespace warpshare::interposer {

namespace {

using DlOpen = void* (*)(const char* path, int mode);
using DlSym = void* (*)(void* library, const char* symbol);

constexpr char kNoteName[] = "warpshare";
constexpr int kInternalMode =
    static_cast<int>(0x80000000);  // as libc's own callers of __libc_dlopen_mode pass it

struct LoaderFunctions {
  DlOpen open;
  DlSym find;
};

LoaderFunctions FindLoader() {
  if (&dlopen != nullptr && &dlsym != nullptr) return {&dlopen, &dlsym};
  if (&__libc_dlopen_mode == nullptr || &__libc_dlsym == nullptr) return {nullptr, nullptr};
  void* libdl = __libc_dlopen_mode("libdl.so.2", RTLD_NOW | kInternalMode);
  if (libdl == nullptr) return {nullptr, nullptr};
  return {reinterpret_cast<DlOpen>(__libc_dlsym(libdl, "dlopen")),
          reinterpret_cast<DlSym>(__libc_dlsym(libdl, "dlsym"))};
}

void* OpenWith(const char* path, int mode) {
  const LoaderFunctions loader = FindLoader();
  return loader.open == nullptr ? nullptr : loader.open(path, mode);
}

constexpr size_t RoundUpToWord(size_t bytes) { return (bytes + 3) & ~size_t{3}; }

// The note of a copy of ours for `soname` among a loaded object's notes, or null.
const char* FindNote(const dl_phdr_info& object, const char* soname) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object.dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + header.p_vaddr);
    const char* const end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof(note);
      const char* content = name + RoundUpToWord(note.n_namesz);
      if (note.n_namesz == sizeof(kNoteName) && guest::SameText(name, kNoteName) &&
          guest::SameText(content, soname)) {
        return at;
      }
      at = content + RoundUpToWord(note.n_descsz);
    }
  }
  return nullptr;
}

struct Search {
  const char* soname;
  bool any_base;  // or only the object at `base`
  ElfW(Addr) base;
  const char* note;
  const char* path;
};

int Visit(dl_phdr_info* object, size_t, void* context) {
  auto& search = *static_cast<Search*>(context);
  if (!search.any_base && object->dlpi_addr != search.base) return 0;
  search.note = FindNote(*object, search.soname);
  search.path = object->dlpi_name;
  return search.note != nullptr || !search.any_base ? 1 : 0;
}

}  // namespace

void* OpenLibrary(const char* path) { return OpenWith(path, RTLD_NOW | RTLD_LOCAL); }

void* ReopenLibrary(const char* path) { return OpenWith(path, RTLD_NOW | RTLD_NOLOAD); }

void* FindSymbol(void* library, const char* symbol) {
  const LoaderFunctions loader = FindLoader();
  return loader.find == nullptr ? nullptr : loader.find(library, symbol);
}

const char* OlderCopy(const char* soname) {
  Search search{.soname = soname, .any_base = true, .base = 0, .note = nullptr, .path = nullptr};
  dl_iterate_phdr(Visit, &search);
  return search.note == nullptr || search.note == warpshare_copy_note ? nullptr : search.path;
}

bool IsCopyOfOurs(void* library, const char* soname) {
  const auto* loaded = static_cast<const link_map*>(library);
  Search search{.soname = soname,
                .any_base = false,
                .base = loaded->l_addr,
                .note = nullptr,
                .path = nullptr};
  dl_iterate_phdr(Visit, &search);
  return search.note != nullptr;
}

const char* OwnPath() {
  const char* path = nullptr;
  const auto find = [](dl_phdr_info* object, size_t, void* context) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = object->dlpi_phdr[i];
      const auto start = static_cast<ElfW(Addr)>(object->dlpi_addr + header.p_vaddr);
      const auto note = reinterpret_cast<ElfW(Addr)>(warpshare_copy_note);
      if (header.p_type != PT_LOAD || note < start || note - start >= header.p_memsz) continue;
      *static_cast<const char**>(context) = object->dlpi_name;
      return 1;
    }
    return 0;
  };
  dl_iterate_phdr(find, &path);
  return path == nullptr || *path == '\0' ? nullptr : path;
}

}  // namespace warpshare::interposer
