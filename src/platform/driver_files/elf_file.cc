#include "platform/driver_files/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {

namespace {

// A library has a dozen or two; more would only cost time.
constexpr size_t kMaxProgramHeaders = 256;

template <typename T>
std::optional<T> ReadAs(std::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string_view Part(std::string_view bytes, uint64_t offset, uint64_t length) {
  return offset < bytes.size() ? bytes.substr(offset, length) : std::string_view();
}

std::vector<Elf64_Phdr> ProgramHeaders(std::string_view bytes, const Elf64_Ehdr& header) {
  std::vector<Elf64_Phdr> headers;
  for (size_t i = 0; i < header.e_phnum && i < kMaxProgramHeaders; ++i) {
    const auto next = ReadAs<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!next) break;
    headers.push_back(*next);
  }
  return headers;
}

// Where in the file the byte lies that is loaded at `address`.
std::optional<uint64_t> FileOffset(const std::vector<Elf64_Phdr>& headers, uint64_t address) {
  for (const Elf64_Phdr& header : headers)
    if (header.p_type == PT_LOAD && address >= header.p_vaddr &&
        address - header.p_vaddr < header.p_filesz)
      return address - header.p_vaddr + header.p_offset;
  return std::nullopt;
}

std::string Soname(std::string_view bytes, const std::vector<Elf64_Phdr>& headers,
                   const Elf64_Phdr& dynamic) {
  std::optional<uint64_t> name;
  std::optional<uint64_t> strings;
  const std::string_view table = Part(bytes, dynamic.p_offset, dynamic.p_filesz);
  for (uint64_t at = 0; const auto entry = ReadAs<Elf64_Dyn>(table, at); at += sizeof(Elf64_Dyn)) {
    if (entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_SONAME) name = entry->d_un.d_val;
    if (entry->d_tag == DT_STRTAB) strings = FileOffset(headers, entry->d_un.d_ptr);
  }
  if (!name || !strings || *name > bytes.size()) return {};
  const std::string_view text = Part(bytes, *strings + *name, 256);
  const size_t length = text.find('\0');
  return length == std::string_view::npos ? std::string() : std::string(text.substr(0, length));
}

void AddNoteNames(std::string_view notes, std::vector<std::string>& names) {
  const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
  for (uint64_t at = 0; const auto note = ReadAs<Elf64_Nhdr>(notes, at);) {
    const std::string_view name = Part(notes, at + sizeof(*note), note->n_namesz);
    names.emplace_back(name.substr(0, name.find('\0')));
    at += sizeof(*note) + padded(note->n_namesz) + padded(note->n_descsz);
  }
}

struct MappedFile {
  void* address;
  size_t size;
  ~MappedFile() { munmap(address, size); }
};

}  // namespace

std::optional<ElfLibrary> ParseElf(std::string_view bytes) {
  const auto header = ReadAs<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return std::nullopt;
  ElfLibrary library;
  const auto headers = ProgramHeaders(bytes, *header);
  for (const Elf64_Phdr& part : headers) {
    if (part.p_type == PT_DYNAMIC) library.soname = Soname(bytes, headers, part);
    if (part.p_type == PT_NOTE)
      AddNoteNames(Part(bytes, part.p_offset, part.p_filesz), library.note_names);
  }
  return library;
}

Result<ElfLibrary> ReadElfFile(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status = {};
  if (!file.is_open() || fstat(file.get(), &status) != 0)
    return Fail(SystemError("cannot open " + path, errno));
  const auto size = static_cast<size_t>(status.st_size);
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) return Fail(SystemError("cannot read " + path, errno));
  const MappedFile mapped{address, size};
  auto library = ParseElf({static_cast<const char*>(address), size});
  if (!library) return Fail(Errc::kCorrupt, path + " is no 64-bit library");
  return std::move(*library);
}

}  // namespace warpshare::platform
