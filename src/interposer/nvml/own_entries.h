// Lists of processes, cut down to the tenant's own. NVML's lists all work alike: the caller gives
// room for `count` entries; with too little it is told how many there are, and asks again.
//
// Processes are told by pid. In a container that is, by public reports:
//   lists of running processes  the container's own pids, without what each has (driver 560, and
//                               open-gpu-kernel-modules #614); of older drivers the host's
//   samples of utilisation      the host's, of everybody on the card (HAMi-core #112)
// So a list is cut down by pid everywhere, and there an older driver's may match by accident; a
// sample means something in the outermost pid namespace only.
#pragma once

#include "abi/driver/nvml_types.h"
#include "interposer/guest/fork_wiped.h"
#include "interposer/guest/kernel.h"
#include "interposer/nvml/tenant_view.h"

namespace warpshare::interposer {

template <typename Entry>
unsigned int PidOf(const Entry& entry) {
  return entry.pid;
}
inline unsigned int PidOf(unsigned int pid) { return pid; }

// Entries of the driver's list, in memory of our own.
template <typename Entry>
class EntryList {
 public:
  EntryList() = default;
  ~EntryList() { Drop(); }
  EntryList(const EntryList&) = delete;
  EntryList& operator=(const EntryList&) = delete;

  // `ask(entries, &count)` is the driver's function. Other tenants' processes come and go between
  // two questions, so a third and fourth may be needed, each with room to spare.
  template <typename Ask>
  nvmlReturn_t Fetch(Ask ask) {
    unsigned int room = 64;
    nvmlReturn_t result = NVML_ERROR_INSUFFICIENT_SIZE;
    for (int attempt = 0; attempt < 4 && result == NVML_ERROR_INSUFFICIENT_SIZE; ++attempt) {
      if (!Reserve(room)) return NVML_ERROR_MEMORY;
      count_ = room;
      result = ask(entries_, &count_);
      room = (count_ > room ? count_ : room) * 2;
    }
    if (result != NVML_SUCCESS) count_ = 0;
    return result;
  }

  void KeepOwn(const TenantView& view) {
    unsigned int kept = 0;
    for (unsigned int i = 0; i < count_; ++i) {
      if (view.IsOwnProcess(PidOf(entries_[i]))) entries_[kept++] = entries_[i];
    }
    count_ = kept;
  }

  // What the tenant is held to, in place of what the driver counts; after KeepOwn. A device that is
  // none of the tenant's (`index` < 0) is left as it is.
  void TellCharged(const TenantView& view, int index) {
    for (unsigned int i = 0; index >= 0 && i < count_; ++i)
      entries_[i].usedGpuMemory = view.ChargedTo(entries_[i].pid, static_cast<uint32_t>(index));
  }

  // To the caller, by NVML's rules.
  nvmlReturn_t Deliver(Entry* entries, unsigned int* count) const {
    const unsigned int room = *count;
    *count = count_;
    if (count_ > room) return NVML_ERROR_INSUFFICIENT_SIZE;
    if (count_ != 0 && entries == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    for (unsigned int i = 0; i < count_; ++i) entries[i] = entries_[i];
    return NVML_SUCCESS;
  }

  unsigned int count() const { return count_; }
  const Entry& operator[](unsigned int i) const { return entries_[i]; }

 private:
  bool Reserve(unsigned int room) {
    if (room <= room_) return true;
    Drop();
    entries_ = static_cast<Entry*>(guest::MapZeroed(room * sizeof(Entry), /*wiped=*/false));
    room_ = entries_ == nullptr ? 0 : room;
    return entries_ != nullptr;
  }
  void Drop() {
    if (entries_ != nullptr) guest::Unmap(entries_, room_ * sizeof(Entry));
    entries_ = nullptr;
  }

  Entry* entries_ = nullptr;
  unsigned int room_ = 0;
  unsigned int count_ = 0;
};

}  // namespace warpshare::interposer
