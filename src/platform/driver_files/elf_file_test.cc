#include "platform/driver_files/elf_file.h"

#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace warpshare::platform {
namespace {

// A library that is in every process, wherever it is.
std::string PathOfLibc() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* found) {
        const std::string_view name = object->dlpi_name;
        if (name.ends_with("/libc.so.6")) *static_cast<std::string*>(found) = name;
        return 0;
      },
      &path);
  return path;
}

TEST(ElfFile, ReadsSonameAndNotesOfALibrary) {
  const auto libc = ReadElfFile(PathOfLibc());
  ASSERT_TRUE(libc) << libc.error().message;
  EXPECT_EQ(libc->soname, "libc.so.6");
  EXPECT_NE(std::ranges::find(libc->note_names, "GNU"), libc->note_names.end());
}

TEST(ElfFile, ReadsAProgramWithoutASoname) {
  const auto self = ReadElfFile("/proc/self/exe");
  ASSERT_TRUE(self) << self.error().message;
  EXPECT_EQ(self->soname, "");
}

TEST(ElfFile, RefusesWhatIsNone) {
  EXPECT_FALSE(ParseElf(""));
  EXPECT_FALSE(
      ParseElf("\x7f"
               "ELF"));
  EXPECT_FALSE(ParseElf(std::string(4096, 'x')));
  EXPECT_EQ(ReadElfFile("/etc/passwd").error().code, Errc::kCorrupt);
  EXPECT_EQ(ReadElfFile("/no/such/file").error().code, Errc::kNotFound);
}

TEST(ElfFile, LeavesOutWhatWasCutOff) {
  std::ifstream file("/proc/self/exe");
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  ASSERT_GT(whole.size(), 4096u);
  for (size_t length = 0; length < 4096; length += 13) (void)ParseElf(whole.substr(0, length));
}

}  // namespace
}  // namespace warpshare::platform
