// The card as a load uses it: a context, streams and one kernel that lasts as long as asked.
#pragma once

#include <string>
#include <vector>

#include "bench/share/load/driver_api.h"
#include "bench/share/load/options.h"

namespace warpshare::load {

class Card {
 public:
  explicit Card(const Options& options);

  const Driver& driver() const { return driver_; }
  CUstream stream(size_t turn) const { return streams_[turn % streams_.size()]; }
  size_t stream_count() const { return streams_.size(); }

  void EnterThread() const;  // of each thread that uses it, but the one that made it
  // Returns how much of a kernel of mean length that is: 1, unless lengths vary.
  double Launch(CUstream stream) const;
  void LaunchLoops(CUstream stream, uint64_t loops) const;
  // A kernel of its own, and a launch of it in one thread.
  CUfunction NewKernel(const std::string& image, const char* name) const;
  void LaunchOnWord(CUfunction kernel, CUstream stream, CUdeviceptr word, uint32_t value) const;
  void Synchronize(CUstream stream) const;
  CUevent NewEvent() const;
  void Record(CUevent event, CUstream stream) const;
  void Await(CUevent event) const;

  // Pinned memory that the card can see, too; zero.
  struct Pinned {
    uint32_t* words;
    CUdeviceptr address;
  };
  Pinned NewPinned(size_t bytes) const;
  Pinned Register(void* memory, size_t bytes) const;
  CUdeviceptr NewMemory(size_t bytes) const;

 private:
  void LoadKernel(const KernelKind& kind, const std::string& duration);
  void FillCard(const KernelKind& kind, CUdevice device);
  double LengthOfNext() const;

  Driver driver_;
  CUcontext context_ = nullptr;
  std::vector<CUstream> streams_;
  CUfunction kernel_ = nullptr;
  uint64_t loops_ = 0;
  double longest_factor_ = 1;  // of the longest kernel over the shortest
  uint32_t blocks_ = 1;
  uint32_t threads_ = 1;
  CUdeviceptr memory_ = 0;
  uint64_t memory_mask_ = 0;
};

}  // namespace warpshare::load
