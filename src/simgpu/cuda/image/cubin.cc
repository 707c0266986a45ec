#include "simgpu/cuda/image/cubin.h"

#include <cstdint>
#include <cstring>
#include <utility>

namespace simgpu::cuda {
namespace {

constexpr uint16_t kElfMachineCuda = 190;

bool IsCubin(const unsigned char* image) {
  for (int i = 0; i < SELFMAG; ++i) {
    if (image[i] != static_cast<unsigned char>(ELFMAG[i])) return false;
  }
  uint16_t machine = 0;
  std::memcpy(&machine, image + offsetof(Elf64_Ehdr, e_machine), sizeof(machine));
  return image[EI_CLASS] == ELFCLASS64 && machine == kElfMachineCuda;
}

Variable VariableAt(const unsigned char* image, const Elf64_Shdr& section,
                    const Elf64_Sym& symbol) {
  Variable variable{.bytes = symbol.st_size, .value = {}};
  const uint64_t at = symbol.st_value - section.sh_addr;
  if (section.sh_type != SHT_PROGBITS) return variable;
  if (at > section.sh_size || symbol.st_size > section.sh_size - at) return variable;
  const auto* const value = reinterpret_cast<const std::byte*>(image) + section.sh_offset + at;
  variable.value.assign(value, value + symbol.st_size);
  return variable;
}

}  // namespace

std::vector<Elf64_Shdr> SectionsOf(const void* image) {
  const auto* const bytes = static_cast<const unsigned char*>(image);
  if (!IsCubin(bytes)) return {};
  Elf64_Ehdr header;
  std::memcpy(&header, bytes, sizeof(header));
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum) return {};
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), bytes + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

Variables VariablesOf(const void* image) {
  const auto* const bytes = static_cast<const unsigned char*>(image);
  const std::vector<Elf64_Shdr> sections = SectionsOf(image);
  Variables variables;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
    const Elf64_Shdr& texts = sections[table.sh_link];
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, bytes + table.sh_offset + at, sizeof(symbol));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0) continue;
      if (symbol.st_shndx >= sections.size() || symbol.st_name >= texts.sh_size) continue;
      const auto* const name =
          reinterpret_cast<const char*>(bytes) + texts.sh_offset + symbol.st_name;
      variables[name] = VariableAt(bytes, sections[symbol.st_shndx], symbol);
    }
  }
  return variables;
}

}  // namespace simgpu::cuda
