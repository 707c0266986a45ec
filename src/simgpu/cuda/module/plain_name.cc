#include "simgpu/cuda/module/plain_name.h"

#include <cctype>
#include <cstring>
#include <string_view>

#include "simgpu/cuda/image/cubin.h"

namespace simgpu::cuda {
namespace {

constexpr std::string_view kTextPrefix = ".text.";
constexpr std::string_view kPtxEntry = ".entry";

bool IsNameLetter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$' ||
         letter == '%';
}

// A cubin has one section ".text.<kernel>" for each kernel.
std::vector<std::string> FromCubin(const void* image, const std::vector<Elf64_Shdr>& sections) {
  std::vector<std::string> names;
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof(header));
  const Elf64_Shdr& texts = sections[header.e_shstrndx];
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_name >= texts.sh_size) continue;
    const std::string_view name(static_cast<const char*>(image) + texts.sh_offset +
                                section.sh_name);
    if (name.starts_with(kTextPrefix)) names.emplace_back(name.substr(kTextPrefix.size()));
  }
  return names;
}

std::vector<std::string> FromPtx(std::string_view text) {
  std::vector<std::string> names;
  size_t at = 0;
  while ((at = text.find(kPtxEntry, at)) != std::string_view::npos) {
    at = text.find_first_not_of(" \t\r\n", at + kPtxEntry.size());
    if (at == std::string_view::npos) break;
    size_t end = at;
    while (end < text.size() && IsNameLetter(text[end])) ++end;
    if (end > at) names.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return names;
}

// PTX begins with comments and blank lines, then its ".version".
bool LooksLikePtx(const char* text) {
  while (true) {
    while (std::isspace(static_cast<unsigned char>(*text)) != 0) ++text;
    if (text[0] != '/' || text[1] != '/') break;
    const char* const line_end = std::strchr(text, '\n');
    if (line_end == nullptr) return false;
    text = line_end;
  }
  return std::strncmp(text, ".version", 8) == 0;
}

}  // namespace

std::vector<std::string> KernelNames(const void* image) {
  const std::vector<Elf64_Shdr> sections = SectionsOf(image);
  if (!sections.empty()) return FromCubin(image, sections);
  const char* const text = static_cast<const char*>(image);
  return LooksLikePtx(text) ? FromPtx(text) : std::vector<std::string>();
}

std::string PlainName(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  size_t at = name.starts_with("_ZN") ? 3 : 2;
  std::string plain = name;
  while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0) {
    size_t length = 0;
    while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0) {
      length = length * 10 + static_cast<size_t>(name[at++] - '0');
      if (length > name.size()) return name;
    }
    if (at + length > name.size()) return plain;
    plain = name.substr(at, length);
    at += length;
  }
  return plain;
}

}  // namespace simgpu::cuda
