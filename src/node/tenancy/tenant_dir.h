// The folders and files of one tenant.
//
// There are two sides. The outer folder is the host's; the inner one is what the tenant's processes
// are told of and map. A process may have become any user by the time it opens its files, so both
// can be passed by anyone who knows the way, and the usage file can be written by anyone who gets
// there. What keeps strangers out is that the inner folder's name is a random key, which only the
// tenant's environment holds, and that no folder on the way can be listed by others. (Under a state
// folder of 0700 nobody gets as far as that.)
#pragma once

#include <string>
#include <vector>

#include "platform/nvml/nvml.h"
#include "platform/region_file/limits_file.h"
#include "result/result.h"

namespace warpshare::node {

// 128 random bits as text.
std::string RandomKey();

class TenantDir {
 public:
  // kNotFound: there is no such folder, or it is not whole.
  static Result<TenantDir> Open(const std::string& path);

  // Fills a folder that does not exist yet; the tenant's side gets a new key or the one given.
  static Result<TenantDir> Build(const std::string& path, const platform::Limits& limits,
                                 const std::vector<platform::Card>& cards,
                                 const std::string& key = RandomKey());

  const std::string& path() const { return path_; }
  std::string runs_path() const { return path_ + "/runs"; }
  std::string cards_path() const { return path_ + "/cards"; }
  const std::string& tenant_side() const { return tenant_side_; }
  std::string limits_path() const;
  std::string usage_path() const;

  // The same tenant after its outer folder was renamed.
  TenantDir At(const std::string& new_path) const;

 private:
  TenantDir(std::string path, const std::string& key)
      : path_(std::move(path)), tenant_side_(path_ + "/" + key) {}

  std::string path_;
  std::string tenant_side_;
};

}  // namespace warpshare::node
