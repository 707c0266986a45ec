// Sections and variables of a cubin, the ELF file that device code is compiled to. Its length is
// only known from its content.
#pragma once

#include <elf.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace simgpu::cuda {

struct Variable {
  size_t bytes = 0;
  std::vector<std::byte> value;  // empty: zeros
};

using Variables = std::map<std::string, Variable>;

// Both are empty for other images.
std::vector<Elf64_Shdr> SectionsOf(const void* image);
Variables VariablesOf(const void* image);

}  // namespace simgpu::cuda
