// A directory for one test's world, removed afterwards, and short ways to open it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>

#include "simgpu/world/world.h"

namespace simgpu::world {

class TempWorld {
 public:
  TempWorld() {
    char name[] = "/dev/shm/simgpu-test-XXXXXX";
    directory_ = mkdtemp(name);
  }
  ~TempWorld() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  TempWorld(const TempWorld&) = delete;
  TempWorld& operator=(const TempWorld&) = delete;

  const std::string& directory() const { return directory_; }

  // Two cards of 1 GiB unless `source` says otherwise.
  std::unique_ptr<World> Open(ScenarioSource source = {.memory = "1GiB"}) const {
    std::string error;
    auto world = World::Open({directory_, std::move(source)}, &error);
    EXPECT_NE(world, nullptr) << error;
    return world;
  }

  std::string OpenError(ScenarioSource source = {}) const {
    std::string error;
    EXPECT_EQ(World::Open({directory_, std::move(source)}, &error), nullptr);
    return error;
  }

 private:
  std::string directory_;
};

}  // namespace simgpu::world
