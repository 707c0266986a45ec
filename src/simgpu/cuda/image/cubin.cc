#include "simgpu/cuda/image/cubin.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace simgpu::cuda {
namespace {

constexpr uint16_t kElfMachineCuda = 190;
constexpr std::string_view kTextPrefix = ".text.";  // a section of this and its name a kernel

template <typename Part>
Part PartAt(const void* bytes, size_t offset) {
  Part part;
  std::memcpy(&part, static_cast<const char*>(bytes) + offset, sizeof(part));
  return part;
}

// Zero: there is none.
size_t EndOfSections(const Elf64_Ehdr& header) {
  const size_t bytes = header.e_shnum * sizeof(Elf64_Shdr);
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > SIZE_MAX - bytes) return 0;
  return header.e_shoff + bytes;
}

// Zero: none in the file.
size_t EndOf(const Elf64_Shdr& section) {
  const bool has_bytes = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
  if (!has_bytes || section.sh_offset > SIZE_MAX - section.sh_size) return 0;
  return section.sh_offset + section.sh_size;
}

std::vector<Elf64_Shdr> SectionsOf(std::string_view cubin) {
  const auto header = PartAt<Elf64_Ehdr>(cubin.data(), 0);
  if (const size_t end = EndOfSections(header); end == 0 || end > cubin.size()) return {};
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (sections.empty()) return {};
  std::memcpy(sections.data(), cubin.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

// Empty as well where it is not, or not all, in the file.
std::string_view BytesOf(std::string_view cubin, const Elf64_Shdr& section) {
  const size_t end = EndOf(section);
  if (end == 0 || end > cubin.size()) return {};
  return cubin.substr(section.sh_offset, section.sh_size);
}

std::string_view NameAt(std::string_view names, size_t offset) {
  if (offset >= names.size()) return {};
  names.remove_prefix(offset);
  return names.substr(0, names.find('\0'));
}

Variable VariableAt(std::string_view cubin, const Elf64_Shdr& section, const Elf64_Sym& symbol) {
  Variable variable{.bytes = symbol.st_size, .value = {}};
  const std::string_view bytes = BytesOf(cubin, section);
  const uint64_t at = symbol.st_value - section.sh_addr;
  if (section.sh_type != SHT_PROGBITS || symbol.st_size > kMostValueBytes) return variable;
  if (at > bytes.size() || symbol.st_size > bytes.size() - at) return variable;
  const auto* const value = reinterpret_cast<const std::byte*>(bytes.data()) + at;
  variable.value.assign(value, value + symbol.st_size);
  return variable;
}

void ReadKernels(std::string_view names, const std::vector<Elf64_Shdr>& sections,
                 ImageContents* contents) {
  for (const Elf64_Shdr& section : sections) {
    const std::string_view name = NameAt(names, section.sh_name);
    if (name.starts_with(kTextPrefix)) {
      contents->kernels.emplace(name.substr(kTextPrefix.size()));
    }
  }
}

void ReadVariables(std::string_view cubin, const Elf64_Shdr& table,
                   const std::vector<Elf64_Shdr>& sections, ImageContents* contents) {
  const std::string_view names = BytesOf(cubin, sections[table.sh_link]);
  const std::string_view symbols = BytesOf(cubin, table);
  for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    const auto symbol = PartAt<Elf64_Sym>(symbols.data(), at);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0) continue;
    const std::string_view name = NameAt(names, symbol.st_name);
    const bool is_compilers = name.empty() || name.front() == '.';
    if (symbol.st_shndx >= sections.size() || is_compilers) continue;
    contents->variables[std::string(name)] = VariableAt(cubin, sections[symbol.st_shndx], symbol);
  }
}

}  // namespace

bool IsCubin(const void* image) {
  const char* const bytes = static_cast<const char*>(image);
  constexpr std::string_view kMagic = ELFMAG;
  return std::equal(kMagic.begin(), kMagic.end(), bytes) && bytes[EI_CLASS] == ELFCLASS64 &&
         PartAt<uint16_t>(image, offsetof(Elf64_Ehdr, e_machine)) == kElfMachineCuda;
}

size_t CubinLength(const void* cubin) {
  const auto header = PartAt<Elf64_Ehdr>(cubin, 0);
  size_t length = std::max(sizeof(header), EndOfSections(header));
  for (size_t i = 0; EndOfSections(header) != 0 && i < header.e_shnum; ++i) {
    const auto section = PartAt<Elf64_Shdr>(cubin, header.e_shoff + i * sizeof(Elf64_Shdr));
    length = std::max(length, EndOf(section));
  }
  return length;
}

ImageContents ReadCubin(std::string_view cubin) {
  ImageContents contents;
  const std::vector<Elf64_Shdr> sections = SectionsOf(cubin);
  const auto header = PartAt<Elf64_Ehdr>(cubin.data(), 0);
  if (header.e_shstrndx < sections.size()) {
    ReadKernels(BytesOf(cubin, sections[header.e_shstrndx]), sections, &contents);
  }
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
    ReadVariables(cubin, table, sections, &contents);
  }
  return contents;
}

}  // namespace simgpu::cuda
