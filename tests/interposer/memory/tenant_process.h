// A process of a tenant that calls the driver through the interposer, and beside it, bare, to learn
// what the card really holds.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "abi/driver/cuda_types.h"
#include "in_child.h"
#include "sim_world.h"

namespace warpshare::testing {

// The functions of one libcuda.so.1.
class CudaLibrary {
 public:
  explicit CudaLibrary(const std::string& folder)
      : library_(dlopen((folder + "/libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL)) {}

  bool is_loaded() const { return library_ != nullptr; }
  template <typename Function>
  Function* Find(const char* symbol) const {
    return reinterpret_cast<Function*>(dlsym(library_, symbol));
  }

 private:
  void* library_;
};

// A call of `library`'s function; its declaration comes from simgpu/cuda/*/api.h.
#define CALL(library, symbol) ((library).Find<decltype(::symbol)>(#symbol))

struct Tenant {
  CudaLibrary cuda;  // through the interposer
  CudaLibrary bare;  // the same driver, not
  TenantDir& dir;
  CUcontext context = nullptr;

  // By the ledger, and by the card itself, on which there is nobody else.
  uint64_t Charged(uint32_t card = 0) const { return dir.UsedBytes(card); }
  uint64_t OnCard() const;
  // Makes the primary context of the first card and makes it current.
  void MakeContext();
  uint64_t Room() const { return dir.limits().cards[0].memory_limit_bytes - Charged(); }
};

// Two cards of 4 GiB; the tenant may take 1 GiB of the first and 256 MiB of the second.
class MemoryTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kLimit = 1024 * kMiB;

  explicit MemoryTest(const std::string& scenario = "") : world_(scenario) {}

  // Runs `body` in a process with the primary context of the first card current. When it is
  // released again the account must be at zero, whatever the body made in it.
  void InTenant(const std::function<void(Tenant&)>& body);
  // The same without a context and without that check.
  void InBareTenant(const std::function<void(Tenant&)>& body);
  // For several at once; AwaitChild tells 0 if all went well there.
  pid_t StartBareTenant(const std::function<void(Tenant&)>& body);

  // What else the processes have in their environment.
  Environment environment_;
  SimWorld world_;
  std::vector<std::array<uint8_t, 16>> uuids_ = world_.Uuids();
  TenantDir tenant_{{{.uuid = uuids_[0], .memory_limit = kLimit},
                     {.uuid = uuids_[1], .memory_limit = 256 * kMiB}}};
};

// Asks about a function by a call in the middle of which the driver calls `meanwhile`.
void AskForBlockSize(const Tenant& tenant, CUfunction function, CUoccupancyB2DSize meanwhile);

// Frees what it is given when it goes out of scope, so that a failed check does not end in another.
class Ballast {
 public:
  // Takes all room but `left` bytes.
  Ballast(Tenant& tenant, uint64_t left);
  ~Ballast();
  Ballast(const Ballast&) = delete;
  Ballast& operator=(const Ballast&) = delete;

 private:
  Tenant& tenant_;
  unsigned long long pointer_ = 0;
};

// That `make` of `bytes` is granted when exactly that fits, refused when one byte less does, and
// that `free` gives it back. Both as the ledger has it and as the card has it.
struct Family {
  std::function<CUresult()> make;
  std::function<CUresult()> free;
  uint64_t bytes;  // that it really takes
};
void ExpectExactToTheByte(Tenant& tenant, const Family& family);

}  // namespace warpshare::testing
