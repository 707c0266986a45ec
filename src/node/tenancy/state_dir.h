// The folder that all tenants of one user on one machine live under.
//
// Modes. A user's own is 0700: nobody else has business there. Root's is 0711: a program that root
// started may become another user before its first CUDA call and must still reach its tenant's
// folder by path, though it cannot list what else is there (tenant_dir.h says how strangers are
// kept out). Others must be able to see, too, that there is no fixed tenant (abi::kFixedTenantDir)
// beside root's tenants. A folder that others could write to, or that belongs to another user, is
// refused: under /tmp somebody may have made it before us.
#pragma once

#include <string>

#include "platform/clock/clock.h"
#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::node {

enum class IfMissing { kMake, kFail };

class StateDir {
 public:
  // WARPSHARE_STATE_DIR; else /run/warpshare for root, $XDG_RUNTIME_DIR/warpshare or
  // /tmp/warpshare-<uid> for others.
  static std::string DefaultPath();

  // kNotFound with IfMissing::kFail: there is none, so there are no tenants.
  static Result<StateDir> Open(const std::string& path, IfMissing if_missing);

  const std::string& path() const { return path_; }
  std::string tenants_path() const { return path_ + "/tenants"; }

  // For what strangers must pass through: 0711 or 0700.
  static unsigned FolderMode();

  // Held until the descriptor is closed. Others hold it for milliseconds; after ten seconds the
  // holder is taken to be stopped, and the error says so.
  Result<platform::Descriptor> Lock(platform::Clock& clock) const;

 private:
  explicit StateDir(std::string path) : path_(std::move(path)) {}

  std::string path_;  // absolute
};

// Makes a folder with exactly that mode, whatever the umask; one that is there already is fine.
Result<void> MakeFolder(const std::string& path, unsigned mode);

}  // namespace warpshare::node
