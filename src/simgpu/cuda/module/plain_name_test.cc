#include "simgpu/cuda/module/plain_name.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace simgpu::cuda {
namespace {

using Names = std::vector<std::string>;

// A cubin with a section for each kernel, and nothing else.
std::string Cubin(const Names& kernels) {
  std::string texts(1, '\0');
  std::vector<Elf64_Shdr> sections(1);
  for (const std::string& kernel : kernels) {
    Elf64_Shdr section{};
    section.sh_name = static_cast<uint32_t>(texts.size());
    sections.push_back(section);
    texts += ".text." + kernel + '\0';
  }
  Elf64_Shdr strings{};
  strings.sh_offset = sizeof(Elf64_Ehdr);
  strings.sh_size = texts.size();
  sections.push_back(strings);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = 190;
  header.e_shoff = sizeof(header) + texts.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(sections.size());
  header.e_shstrndx = static_cast<uint16_t>(sections.size() - 1);
  return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + texts +
         std::string(reinterpret_cast<const char*>(sections.data()),
                     sections.size() * sizeof(Elf64_Shdr));
}

TEST(KernelNames, AreReadFromPtx) {
  const char* const ptx =
      "//\n// made by hand\n\n.version 8.0\n.target sm_80\n"
      ".visible .entry first(\n.param .u64 a)\n{ ret; }\n.entry  second () { ret; }\n"
      ".func helper() { ret; }\n";
  EXPECT_EQ(KernelNames(ptx), (Names{"first", "second"}));
}

TEST(KernelNames, AreReadFromCubins) {
  EXPECT_EQ(KernelNames(Cubin({"scale", "_Z3addPf"}).data()), (Names{"scale", "_Z3addPf"}));
}

TEST(KernelNames, OtherImagesNameNone) {
  EXPECT_EQ(KernelNames("anything"), Names{});
  EXPECT_EQ(KernelNames(""), Names{});
  EXPECT_EQ(KernelNames("// a comment without an end"), Names{});
}

TEST(KernelNames, ArePlainOnceUnmangled) {
  EXPECT_EQ(PlainName("spin_5us"), "spin_5us");
  EXPECT_EQ(PlainName("_Z8spin_5usPf"), "spin_5us");
  EXPECT_EQ(PlainName("_ZN3lib4impl8spin_5usEPKfi"), "spin_5us");
  EXPECT_EQ(PlainName("_Z99short"), "_Z99short");
  EXPECT_EQ(PlainName("_Z"), "_Z");
}

}  // namespace
}  // namespace simgpu::cuda
