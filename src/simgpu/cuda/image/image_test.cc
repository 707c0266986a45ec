#include "simgpu/cuda/image/image.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

namespace simgpu::cuda {
namespace {

using Names = std::set<std::string>;

constexpr char kPtx[] = ".version 8.0\n.global .u32 a = 7;\n.entry one() {}\n";
constexpr size_t kPtxBytes = sizeof(kPtx) - 1;
const std::string kPackedPtx = std::string("\xf0\x22") + kPtx;  // by LZ4: 15 + 34 bytes as they are

template <typename Part>
std::string BytesOf(const Part& part) {
  return {reinterpret_cast<const char*>(&part), sizeof(part)};
}

// A cubin with a section for each kernel, and nothing else.
std::string Cubin(const Names& kernels) {
  std::string texts(1, '\0');
  std::string sections = BytesOf(Elf64_Shdr{});
  for (const std::string& kernel : kernels) {
    Elf64_Shdr section{};
    section.sh_name = static_cast<uint32_t>(texts.size());
    sections += BytesOf(section);
    texts += ".text." + kernel + '\0';
  }
  Elf64_Shdr strings{};
  strings.sh_type = SHT_STRTAB;
  strings.sh_offset = sizeof(Elf64_Ehdr);
  strings.sh_size = texts.size();
  sections += BytesOf(strings);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = 190;
  header.e_shoff = sizeof(header) + texts.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(sections.size() / sizeof(Elf64_Shdr));
  header.e_shstrndx = static_cast<uint16_t>(header.e_shnum - 1);
  return BytesOf(header) + texts + sections;
}

struct Entry {
  uint16_t kind = 1;
  uint16_t version = 0x101;
  uint32_t header_bytes = 72;
  uint64_t bytes = 0;
  uint32_t packed_bytes = 0;
  uint32_t unused[5] = {};
  uint64_t flags = 0x11;
  uint64_t unused_too = 0;
  uint64_t unpacked_bytes = 0;
  char name[8] = "name";
};

std::string EntryOf(uint16_t kind, std::string bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return BytesOf(Entry{.kind = kind, .bytes = bytes.size()}) + bytes;
}

std::string PackedEntry(uint64_t flags) {
  std::string bytes = kPackedPtx;
  Entry entry{.packed_bytes = static_cast<uint32_t>(bytes.size()), .flags = flags};
  bytes.resize((bytes.size() + 7) / 8 * 8);
  entry.bytes = bytes.size();
  entry.unpacked_bytes = kPtxBytes;
  return BytesOf(entry) + bytes;
}

std::string FatBinary(const std::string& entries) {
  const struct {
    uint32_t magic = 0xBA55ED50;
    uint16_t version = 1;
    uint16_t header_bytes = 16;
    uint64_t bytes;
  } header{.bytes = entries.size()};
  return BytesOf(header) + entries;
}

// In memory of just that size: AddressSanitizer sees what reads further.
ImageContents ContentsOfExactly(const std::string& image) {
  const auto bytes = std::make_unique<char[]>(image.size());
  std::memcpy(bytes.get(), image.data(), image.size());
  return ContentsOf(WholeImage(bytes.get()));
}

TEST(Image, IsPtxUpToItsZeroByte) {
  const ImageContents contents = ContentsOf(WholeImage(kPtx));
  EXPECT_EQ(contents.kernels, Names{"one"});
  EXPECT_EQ(contents.variables.at("a").bytes, 4u);
}

TEST(Image, IsACubinOfTheLengthThatItSays) {
  const std::string cubin = Cubin({"scale", "_Z3addPf"});
  EXPECT_EQ(ContentsOfExactly(cubin).kernels, (Names{"scale", "_Z3addPf"}));
  for (size_t length = 0; length < cubin.size(); ++length) {
    EXPECT_EQ(ContentsOf(std::string_view(cubin).substr(0, length)).kernels, Names{});
  }
}

TEST(Image, IsAFatBinaryOfPtxAndCubins) {
  const std::string fat = FatBinary(EntryOf(2, Cubin({"two"})) + EntryOf(1, kPtx));
  const ImageContents contents = ContentsOfExactly(fat);
  EXPECT_EQ(contents.kernels, (Names{"one", "two"}));
  EXPECT_EQ(contents.variables.at("a").value[0], std::byte{7});
  for (size_t length = 0; length < fat.size() - 8; ++length) {
    EXPECT_NE(ContentsOf(std::string_view(fat).substr(0, length)).kernels.size(), 2u);
  }
}

TEST(Image, MayHaveEntriesPackedByLz4) {
  EXPECT_EQ(ContentsOfExactly(FatBinary(PackedEntry(0x2011))).kernels, Names{"one"});
  EXPECT_EQ(ContentsOfExactly(FatBinary(PackedEntry(0x8011))).kernels, Names{});  // Zstandard
}

TEST(Image, MayBeInAWrapper) {
  const std::string fat = FatBinary(EntryOf(1, kPtx));
  const struct {
    uint32_t magic = 0x466243B1;
    uint32_t version = 1;
    const void* fat_binary;
    const void* more = nullptr;
  } wrapper{.fat_binary = fat.data()};
  EXPECT_EQ(ContentsOf(WholeImage(&wrapper)).kernels, Names{"one"});
}

TEST(Image, MaySayAnything) {
  for (const char* image : {"", "anything",
                            "\x7f"
                            "ELF",
                            "\x50\xed", "\xb1\x43\x62\x46"}) {
    EXPECT_EQ(ContentsOf(std::string_view(image)).kernels, Names{});
  }
  EXPECT_EQ(ContentsOfExactly("no image \x01").kernels, Names{});
  EXPECT_EQ(WholeImage(nullptr).data(), nullptr);
  EXPECT_EQ(ContentsOfExactly("\x7f"
                              "EL\x01")
                .kernels,
            Names{});
}

}  // namespace
}  // namespace simgpu::cuda
