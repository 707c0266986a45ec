#include "simgpu/world/layout/world_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "simgpu/world/layout/header_check.h"
#include "simgpu/world/memory.h"
#include "simgpu/world/sync/clock.h"

namespace simgpu::world {
namespace {

class File {
 public:
  File(const std::string& path, int flags)
      : fd_(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

bool Fail(std::string* error, const std::string& what) {
  *error = what + ": " + std::strerror(errno);
  return false;
}

std::byte* MapShared(int fd, size_t bytes) {
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  return start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
}

uint64_t CardFileBytes(const Layout& layout, size_t card) {
  return layout.cards[card].blocks * kBlockBytes;
}

bool CardFilesAreThere(const std::string& directory, const Layout& layout) {
  for (size_t i = 0; i < layout.cards.size(); ++i) {
    struct stat status;
    if (lstat(CardFile(directory, static_cast<int>(i)).c_str(), &status) != 0) return false;
    if (!S_ISREG(status.st_mode)) return false;
    if (static_cast<uint64_t>(status.st_size) != CardFileBytes(layout, i)) return false;
  }
  return true;
}

bool MakeCardFiles(const std::string& directory, const Layout& layout, std::string* error) {
  for (size_t i = 0; i < layout.cards.size(); ++i) {
    const std::string path = CardFile(directory, static_cast<int>(i));
    const File file(path, O_RDWR | O_CREAT | O_EXCL);
    const uint64_t bytes = CardFileBytes(layout, i);
    if (!file.ok() || ftruncate(file.fd(), static_cast<off_t>(bytes)) != 0)
      return Fail(error, path);
  }
  return true;
}

// What a world consists of; other files in the directory are not ours.
void RemoveOldWorld(const std::string& directory) {
  std::error_code ignored;
  for (const char* name : {"/world", "/world.new"}) {
    std::filesystem::remove(directory + name, ignored);
  }
  for (int card = 0; card < kMaxCards; ++card) {
    std::filesystem::remove(CardFile(directory, card), ignored);
  }
  std::filesystem::remove_all(ExportFolder(directory), ignored);
}

uint64_t RandomNumber() {
  uint64_t number = 0;
  while (number == 0) {
    if (getrandom(&number, sizeof(number), 0) != sizeof(number)) number = NowNs();
  }
  return number;
}

}  // namespace

std::unique_ptr<WorldFile> WorldFile::Attach(const std::string& directory, bool is_default,
                                             const ScenarioSource& source, std::string* error) {
  std::unique_ptr<WorldFile> file(new WorldFile);
  if (!PrepareDirectory(directory, is_default, &file->directory_, error)) return nullptr;
  if (!file->lock_.Take(file->directory_, error)) return nullptr;
  if (!file->AttachOrCreate(source, error)) return nullptr;
  file->lock_.Share();
  return file;
}

WorldFile::~WorldFile() {
  if (map_.start() != nullptr) munmap(map_.start(), map_.layout().bytes);
}

bool WorldFile::AttachOrCreate(const ScenarioSource& source, std::string* error) {
  std::string reason;
  const bool good = Open(&reason);
  if (!lock_.alone()) {
    if (!good) {
      *error = directory_ + "/world cannot be used: " + reason +
               ". Processes are attached to it: end them, or set SIMGPU_WORLD to another directory";
    }
    return good;
  }
  if (good && source.empty()) return true;
  ScenarioResult wanted = LoadScenario(source, DefaultSeed(directory_));
  if (!wanted.ok()) {
    *error = wanted.error;
    return false;
  }
  if (good && PrintScenario(wanted.scenario) == PrintScenario(scenario_)) return true;
  return Create(wanted.scenario, error);
}

bool WorldFile::Open(std::string* reason) {
  const std::string path = directory_ + "/world";
  const File file(path, O_RDWR);
  if (!file.ok()) return Fail(reason, path);
  struct stat status;
  if (fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<uint64_t>(status.st_size) < sizeof(Header)) {
    *reason = "it is not a world file";
    return false;
  }
  const auto bytes = static_cast<size_t>(status.st_size);
  std::byte* start = MapShared(file.fd(), bytes);
  if (start == nullptr) return Fail(reason, path);
  if (ReadHeader(*reinterpret_cast<Header*>(start), bytes, &scenario_, reason)) {
    Layout layout = Layout::Of(scenario_);
    if (CardFilesAreThere(directory_, layout)) {
      if (map_.start() != nullptr) munmap(map_.start(), map_.layout().bytes);
      map_ = SharedMap(start, std::move(layout));
      return true;
    }
    *reason = "the files of its cards' memory are missing or cut";
  }
  munmap(start, bytes);
  return false;
}

bool WorldFile::Create(const Scenario& scenario, std::string* error) {
  RemoveOldWorld(directory_);
  Layout layout = Layout::Of(scenario);
  if (!MakeCardFiles(directory_, layout, error)) return false;
  if (mkdir(ExportFolder(directory_).c_str(), 0777) != 0) return Fail(error, directory_);
  const std::string path = directory_ + "/world.new";
  {
    const File file(path, O_RDWR | O_CREAT | O_EXCL);
    if (!file.ok() || ftruncate(file.fd(), static_cast<off_t>(layout.bytes)) != 0) {
      return Fail(error, path);
    }
    std::byte* start = MapShared(file.fd(), layout.bytes);
    if (start == nullptr) return Fail(error, path);
    SharedMap map(start, layout);
    map.CreateLocks();
    WriteHeader(map.header(), layout.bytes, RandomNumber(), scenario);
    munmap(start, layout.bytes);
  }
  // The last step: a creator that is killed before it leaves nothing that looks like a world.
  if (rename(path.c_str(), (directory_ + "/world").c_str()) != 0) return Fail(error, path);
  return Open(error);
}

}  // namespace simgpu::world
