#include "platform/driver_files/driver_files.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace warpshare::platform {
namespace {

// A library of which only the note is there.
std::string LibraryWithNote(std::string_view owner) {
  struct {
    Elf64_Ehdr header;
    Elf64_Phdr note_part;
    Elf64_Nhdr note;
    char owner[16];
  } file = {};
  std::memcpy(file.header.e_ident, ELFMAG, SELFMAG);
  file.header.e_ident[EI_CLASS] = ELFCLASS64;
  file.header.e_ident[EI_DATA] = ELFDATA2LSB;
  file.header.e_phoff = sizeof(file.header);
  file.header.e_phnum = 1;
  file.note_part.p_type = PT_NOTE;
  file.note_part.p_offset = sizeof(file.header) + sizeof(file.note_part);
  file.note_part.p_filesz = sizeof(file.note) + sizeof(file.owner);
  file.note.n_namesz = static_cast<Elf64_Word>(owner.size() + 1);
  owner.copy(file.owner, sizeof(file.owner) - 1);
  return {reinterpret_cast<const char*>(&file), sizeof(file)};
}

class DriverFilesTest : public testing::Test {
 protected:
  DriverFilesTest() {
    char pattern[] = "/tmp/driver_files_test.XXXXXX";
    root_ = mkdtemp(pattern);
  }
  ~DriverFilesTest() override { std::filesystem::remove_all(root_); }

  std::string Folder(const std::string& name, std::string_view note_owner) {
    const std::string folder = root_ + "/" + name;
    std::filesystem::create_directory(folder);
    if (!note_owner.empty()) std::ofstream(folder + "/libcuda.so.1") << LibraryWithNote(note_owner);
    return folder;
  }

  std::string root_;
};

TEST_F(DriverFilesTest, TakesTheFirstFolderThatHasOne) {
  const std::string empty = Folder("empty", "");
  const std::string first = Folder("first", "NVIDIA");
  const std::string second = Folder("second", "NVIDIA");
  const auto found = FindDriver({.named_folder = {},
                                 .library_path = empty + "::" + first + ":" + second,
                                 .loader_cache = {},
                                 .usual_folders = {}});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->folder, first);
  EXPECT_EQ(found->found_by, "LD_LIBRARY_PATH");
}

TEST_F(DriverFilesTest, NeverTakesOurOwnLibraryForTheDriver) {
  const std::string ours = Folder("ours", "warpshare");
  const std::string driver = Folder("driver", "NVIDIA");
  EXPECT_TRUE(IsOurLibrary(ours + "/libcuda.so.1"));
  EXPECT_EQ(
      FindDriver(
          {.named_folder = {}, .library_path = ours, .loader_cache = {}, .usual_folders = driver})
          ->folder,
      driver);
  EXPECT_FALSE(FindDriver(
      {.named_folder = ours, .library_path = {}, .loader_cache = {}, .usual_folders = {}}));
}

TEST_F(DriverFilesTest, LooksNowhereElseWhenAFolderIsNamed) {
  const std::string named = Folder("named", "");
  const std::string driver = Folder("driver", "NVIDIA");
  const auto found = FindDriver(
      {.named_folder = named, .library_path = driver, .loader_cache = {}, .usual_folders = {}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            "no libcuda.so.1 in " + named + ": mend or unset WARPSHARE_DRIVER_DIR");
}

TEST_F(DriverFilesTest, SaysWhatToDoWhenThereIsNone) {
  const auto found = FindDriver({.named_folder = {},
                                 .library_path = {},
                                 .loader_cache = root_ + "/none",
                                 .usual_folders = {}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Errc::kNotFound);
  EXPECT_NE(found.error().message.find("--sim"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::platform
