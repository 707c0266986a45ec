// Advice on managed memory: kept per page range and told back, without any other effect. Managed
// memory here lives on one card from birth to death and is reached by all at the same cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// A CUmemLocation that compares; nowhere, unless said otherwise.
struct Location {
  CUmemLocationType type = CU_MEM_LOCATION_TYPE_INVALID;
  int id = 0;

  friend bool operator==(const Location&, const Location&) = default;
};

// What was said of some pages.
struct Advice {
  bool read_mostly = false;
  Location preferred;
  Location last_prefetch;
  std::set<CUdevice> accessed_by;  // CU_DEVICE_CPU for the host
};

// Ranges of addresses, each with its advice; ranges are split where advice begins and ends.
class AdviceMap {
 public:
  template <class Change>
  void Apply(uintptr_t begin, uintptr_t end, Change change) {
    Split(begin);
    Split(end);
    for (uintptr_t at = begin; at < end;) {
      auto it = pieces_.lower_bound(at);
      if (it == pieces_.end() || it->first > at) {
        const uintptr_t stop = it == pieces_.end() || it->first > end ? end : it->first;
        it = pieces_.emplace(at, Piece{stop, Advice{}}).first;
      }
      change(it->second.advice);
      at = it->second.end;
    }
  }

  // What holds for the whole range: where parts differ, nothing does.
  Advice Common(uintptr_t begin, uintptr_t end) const;

  void Forget(uintptr_t begin, uintptr_t end);

 private:
  struct Piece {
    uintptr_t end;
    Advice advice;
  };

  void Split(uintptr_t at);

  std::map<uintptr_t, Piece> pieces_;
};

}  // namespace simgpu::cuda
