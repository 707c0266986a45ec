#include "node/tenancy/tenant_dir.h"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

#include "abi/names/env.h"
#include "node/tenancy/card_note.h"
#include "node/tenancy/state_dir.h"
#include "platform/descriptor/descriptor.h"
#include "platform/region_file/usage_file.h"

namespace warpshare::node {

namespace fs = std::filesystem;

std::string RandomKey() {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr int kDigits = 32;
  std::random_device random;
  std::string key;
  for (int i = 0; i < kDigits; ++i) key += kHex[random() % 16];
  return key;
}

std::string TenantDir::limits_path() const { return tenant_side_ + "/" + abi::kLimitsFile; }
std::string TenantDir::usage_path() const { return tenant_side_ + "/" + abi::kUsageFile; }

TenantDir TenantDir::At(const std::string& new_path) const {
  return {new_path, fs::path(tenant_side_).filename().string()};
}

Result<TenantDir> TenantDir::Open(const std::string& path) {
  // The key's folder is the only folder in it.
  std::error_code error;
  for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->symlink_status(ignored).type() == fs::file_type::directory)
      return TenantDir(path, entry->path().filename().string());
  }
  if (error) return Fail(SystemError("cannot list " + path, error.value()));
  return Fail(Errc::kNotFound, path + " is not whole: remove it");
}

Result<TenantDir> TenantDir::Build(const std::string& path, const platform::Limits& limits,
                                   const std::vector<platform::Card>& cards,
                                   const std::string& key) {
  TenantDir tenant(path, key);
  auto done = MakeFolder(tenant.path_, StateDir::FolderMode());
  if (done) done = MakeFolder(tenant.tenant_side_, StateDir::FolderMode());
  if (done) done = platform::WriteLimitsFile(tenant.limits_path(), limits);
  if (done) done = platform::MakeUsageFile(tenant.usage_path());
  if (done) done = WriteCardNote(tenant.cards_path(), cards);
  if (!done) return Forward(done);
  auto runs = platform::OpenFile(tenant.runs_path(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (!runs) return Forward(runs);
  return tenant;
}

}  // namespace warpshare::node
