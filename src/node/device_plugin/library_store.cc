#include "node/device_plugin/library_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "abi/names/env.h"
#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/descriptor/descriptor.h"

namespace warpshare::node {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = 64 << 20;
constexpr mode_t kLibraryMode = 0555;
constexpr unsigned kFolderMode = 0755;
constexpr char kAside[] = ".new-";

// FNV-1a: tells builds apart, keeps nobody out.
std::string Fingerprint(const std::vector<LibraryFile>& files) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](const std::string& text) {
    for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    hash = (hash ^ text.size()) * 0x100000001b3;
  };
  for (const LibraryFile& file : files) {
    add(file.name);
    add(file.text);
  }
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

Result<void> WriteFile(const std::string& path, const std::string& text) {
  const auto file = platform::OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, kLibraryMode);
  if (!file) return Fail(file.error());
  if (auto written = platform::WriteAll(*file, text); !written) return written;
  // Containers will name it when the machine starts again.
  if (fsync(file->get()) != 0) return Fail(SystemError("cannot keep " + path, errno));
  return {};
}

}  // namespace

Result<std::vector<LibraryFile>> ReadLibraries(const std::string& folder) {
  std::vector<LibraryFile> files;
  for (const char* soname : {abi::kCudaSoname, abi::kNvmlSoname}) {
    std::error_code error;
    const std::string path = folder + "/" + soname;
    const fs::path real = fs::canonical(path, error);  // the soname is a link
    if (error) return Fail(SystemError("cannot find " + path, error.value()));
    auto text = platform::ReadWholeFile(real.string(), kMostBytes);
    if (!text) return Forward(text);
    files.push_back({soname, std::move(*text)});
  }
  return files;
}

Result<LibraryStore> LibraryStore::Open(const std::string& path) {
  std::error_code error;
  LibraryStore store(fs::absolute(path, error).string());
  fs::create_directories(store.path_, error);
  if (error) return Fail(SystemError("cannot make " + store.path_, error.value()));
  return store;
}

Result<std::string> LibraryStore::Install(const std::string& kind,
                                          const std::vector<LibraryFile>& files) {
  const std::string folder = path_ + "/" + kind + "-" + Fingerprint(files);
  installed_.insert(folder);
  if (access(folder.c_str(), F_OK) == 0) return folder;
  const std::string aside = path_ + "/" + kAside + RandomKey();
  auto done = MakeFolder(aside, kFolderMode);
  for (const LibraryFile& file : files)
    if (done) done = WriteFile(aside + "/" + file.name, file.text);
  if (done && rename(aside.c_str(), folder.c_str()) != 0 && errno != ENOTEMPTY && errno != EEXIST)
    done = Fail(SystemError("cannot make " + folder, errno));
  std::error_code ignored;
  fs::remove_all(aside, ignored);
  if (!done) return Forward(done);
  return folder;
}

void LibraryStore::Prune(const std::set<std::string>& host_paths) {
  std::error_code error;
  for (fs::directory_iterator entry(path_, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string folder = entry->path().string();
    const auto inside = host_paths.lower_bound(folder);
    const bool is_used = inside != host_paths.end() && inside->starts_with(folder);
    std::error_code ignored;
    if (!installed_.contains(folder) && !is_used) fs::remove_all(folder, ignored);
  }
}

}  // namespace warpshare::node
