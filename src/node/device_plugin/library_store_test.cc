#include "node/device_plugin/library_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "platform/descriptor/descriptor.h"

namespace warpshare::node {
namespace {

namespace fs = std::filesystem;

class LibraryStoreTest : public testing::Test {
 protected:
  LibraryStoreTest() {
    char pattern[] = "/tmp/library_store_test.XXXXXX";
    root_ = mkdtemp(pattern);
  }
  ~LibraryStoreTest() override { fs::remove_all(root_); }
  LibraryStore Open() const { return LibraryStore::Open(root_ + "/store").value(); }

  std::string root_;
};

TEST_F(LibraryStoreTest, AVersionIsCopiedOnceAndNeverTouchedAgain) {
  const std::string folder = Open().Install("1.0", {{"lib.so.1", "one"}}).value();
  EXPECT_EQ(*platform::ReadWholeFile(folder + "/lib.so.1", 10), "one");
  const auto before = fs::last_write_time(folder + "/lib.so.1");
  EXPECT_EQ(*Open().Install("1.0", {{"lib.so.1", "one"}}), folder);
  EXPECT_EQ(fs::last_write_time(folder + "/lib.so.1"), before);
  const std::string other = Open().Install("1.0", {{"lib.so.1", "two"}}).value();
  EXPECT_NE(other, folder) << "of the same version, but not the same";
  EXPECT_EQ(*platform::ReadWholeFile(folder + "/lib.so.1", 10), "one");
}

TEST_F(LibraryStoreTest, WhatAContainerNamesStays) {
  const std::string old = Open().Install("0.9", {{"lib.so.1", "old"}}).value();
  const std::string unused = Open().Install("0.8", {{"lib.so.1", "older"}}).value();
  LibraryStore store = Open();
  const std::string current = store.Install("1.0", {{"lib.so.1", "new"}}).value();
  store.Prune({old + "/lib.so.1", "/elsewhere"});
  EXPECT_TRUE(fs::exists(old));
  EXPECT_TRUE(fs::exists(current));
  EXPECT_FALSE(fs::exists(unused));
}

TEST_F(LibraryStoreTest, LibrariesAreReadThroughTheirLinks) {
  for (const char* name : {"libcuda", "libnvidia-ml"}) {
    std::ofstream(root_ + "/" + name + ".so.580.1") << name;
    fs::create_symlink(std::string(name) + ".so.580.1", root_ + "/" + name + ".so.1");
  }
  const auto files = ReadLibraries(root_);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->at(0).name, "libcuda.so.1");
  EXPECT_EQ(files->at(1).text, "libnvidia-ml");
  EXPECT_EQ(ReadLibraries(root_ + "/none").error().code, Errc::kNotFound);
}

}  // namespace
}  // namespace warpshare::node
