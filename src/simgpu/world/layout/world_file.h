// Attaching to a world: finding a good one in the directory, or making one. A world is good when it
// has this library's layout, is whole, and was made since the machine's last boot. One that is not
// good, or is not the one asked for, is made anew if nobody is attached to it; otherwise the first
// is an error, and the second is taken as it is.
#pragma once

#include <memory>
#include <string>

#include "simgpu/world/layout/directory.h"
#include "simgpu/world/layout/layout.h"

namespace simgpu::world {

class WorldFile {
 public:
  // Null and `error` (with the mend) on failure.
  static std::unique_ptr<WorldFile> Attach(const std::string& directory, bool is_default,
                                           const ScenarioSource& source, std::string* error);
  ~WorldFile();

  const std::string& directory() const { return directory_; }
  const Scenario& scenario() const { return scenario_; }
  const SharedMap& map() const { return map_; }

 private:
  WorldFile() = default;
  bool Open(std::string* reason);  // an existing world; false and why it is not good
  bool Create(const Scenario& scenario, std::string* error);
  bool AttachOrCreate(const ScenarioSource& source, std::string* error);

  std::string directory_;
  AttachLock lock_;
  Scenario scenario_;
  SharedMap map_;
};

}  // namespace simgpu::world
