#include "interposer/nvml/tenant_view.h"

#include "abi/names/env.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_library.h"
#include "interposer/dispatch/nvml_functions.h"
#include "interposer/guest/fork_wiped.h"
#include "interposer/guest/kernel.h"
#include "interposer/guest/text.h"
#include "interposer/session/liveness.h"
#include "ledger/card_ledger.h"
#include "ledger/memory_slot.h"

namespace warpshare::interposer {

constinit TenantView TenantView::g_view{};

namespace {

constexpr uint64_t kSweepPauseNs = 50'000'000;

// Two looks closer together tell little: work is charged a submission at a time.
constexpr uint64_t kLeastApartNs = 100'000'000;

constexpr uint64_t kOutermostPidNamespace = 0xEFFF'FFFC;  // the kernel's number of the first one

// The view itself outlives a fork: it holds no slot, and the mappings are the child's too. Who asks
// does not: the child may be in another pid namespace, where the pids of slots are nobody's.
struct OfProcess {
  guest::Lock lock;
  ledger::OwnerIdentity self;  // pid 0: not asked yet
};
constinit guest::ForkWiped<OfProcess> g_of_process{};

guest::Lock& ViewLock() { return g_of_process.Get().lock; }

const ledger::OwnerIdentity& Self() {
  OfProcess& process = g_of_process.Get();
  const guest::LockGuard guard(process.lock);
  if (process.self.pid == 0) process.self = IdentifySelf();
  return process.self;
}

bool FindByUuid(const char* prefix, const uint8_t (&uuid)[16], nvmlDevice_t& handle) {
  guest::Text<64> text;
  text.Add(prefix).AddUuid(uuid);
  return REAL_NVML(nvmlDeviceGetHandleByUUID)(text.text(), &handle) == NVML_SUCCESS;
}

}  // namespace

TenantView* TenantView::OpenOnce() {
  const guest::LockGuard guard(ViewLock());
  State state = g_view.state_.load(std::memory_order_relaxed);
  if (state == State::kUndecided) {
    state = g_view.Open();
    g_view.state_.store(state, std::memory_order_release);
  }
  return state == State::kNoTenant ? nullptr : &g_view;
}

TenantView::State TenantView::Open() {
  if (FindDriver(abi::kNvmlSoname).is_copy)
    return State::kNoTenant;  // the copy that came first has the view
  const Opened opened = OpenTenantPages(pages_);
  if (opened == Opened::kNoTenant) return State::kNoTenant;
  return opened == Opened::kOpen ? State::kOpen : State::kClosed;
}

// NVML counts physical devices only: a granted MIG device is found below the parent that stands for
// it.
bool TenantView::LearnDevice(uint32_t card, Device& device) const {
  const auto& uuid = pages_.limits->cards[card].uuid;
  device.card = card;
  const bool found = FindByUuid("GPU-", uuid, device.handle) ||
                     (FindByUuid("MIG-", uuid, device.handle) &&
                      REAL_NVML(nvmlDeviceGetDeviceHandleFromMigDeviceHandle)(
                          device.handle, &device.handle) == NVML_SUCCESS);
  return found &&
         REAL_NVML(nvmlDeviceGetIndex)(device.handle, &device.driver_index) == NVML_SUCCESS;
}

void TenantView::LearnDevices() {
  if (IsClosed()) return;
  const guest::LockGuard guard(ViewLock());
  uint32_t count = 0;
  for (uint32_t card = 0; card < pages_.limits->card_count && card < abi::kMaxCards; ++card) {
    Device device{};
    if (LearnDevice(card, device)) devices_[count++] = device;
    own_times_[card].Begin(LookAtTime(*pages_.usage, card, guest::Now()));
  }
  device_count_.store(count, std::memory_order_release);
}

int TenantView::FindDevice(nvmlDevice_t device) const {
  for (uint32_t index = 0; index < device_count(); ++index) {
    if (devices_[index].handle == device) return static_cast<int>(index);
  }
  return -1;
}

int TenantView::IndexOf(nvmlDevice_t device) const {
  if (const int index = FindDevice(device); index >= 0) return index;
  nvmlDevice_t parent = nullptr;
  if (REAL_NVML(nvmlDeviceGetDeviceHandleFromMigDeviceHandle)(device, &parent) != NVML_SUCCESS)
    return -1;
  return FindDevice(parent);
}

CardMemory TenantView::MemoryOf(uint32_t index) {
  SweepIfDue();
  const uint32_t card = devices_[index].card;
  return {.limit = pages_.limits->cards[card].memory_limit_bytes.load(std::memory_order_relaxed),
          .used = ledger::CardLedger(*pages_.usage, card).TotalBytes()};
}

bool TenantView::TellOwnPercent(uint32_t index, unsigned int& percent) {
  const uint32_t card = devices_[index].card;
  const abi::ComputeTermsV1& terms = pages_.limits->cards[card].compute;
  if (terms.mode.load(std::memory_order_relaxed) == abi::ComputeMode::kNone) return false;
  TimeLook to = LookAtTime(*pages_.usage, card, guest::Now());
  TimeLook from{};
  {
    const guest::LockGuard guard(ViewLock());
    from = own_times_[card].Exchange(to);
  }
  if (const uint64_t apart_ns = to.at_ns - from.at_ns; apart_ns < kLeastApartNs) {
    guest::Sleep(kLeastApartNs - apart_ns);
    to = LookAtTime(*pages_.usage, card, guest::Now());
  }
  percent = PercentBetween(from, to);
  return true;
}

bool TenantView::KnowsSampledPids() const { return Self().pid_namespace == kOutermostPidNamespace; }

uint32_t TenantView::NextSlotOf(unsigned pid, uint32_t slot) const {
  const abi::UsagePageV1& usage = *pages_.usage;
  const ledger::OwnerIdentity& self = Self();
  for (; slot < ledger::SlotCeiling(usage); ++slot) {
    ledger::OwnerIdentity owner{};
    uint64_t generation = 0;
    const bool is_candidate = ledger::ReadOwner(usage, slot, owner, generation) &&
                              owner.pid == pid && owner.pid_namespace == self.pid_namespace;
    if (is_candidate && !Observer(pages_, self).IsDead(slot, owner)) return slot;
  }
  return abi::kMaxSlots;
}

bool TenantView::IsOwnProcess(unsigned pid) const { return NextSlotOf(pid, 0) != abi::kMaxSlots; }

uint64_t TenantView::ChargedTo(unsigned pid, uint32_t index) const {
  const ledger::CardLedger ledger(*pages_.usage, devices_[index].card);
  uint64_t bytes = 0;
  for (uint32_t slot = NextSlotOf(pid, 0); slot < abi::kMaxSlots; slot = NextSlotOf(pid, slot + 1))
    bytes += ledger.PartBytes(slot);
  for (uint32_t slot = abi::kProcessSlots; slot < ledger::MemoryCeiling(*pages_.usage); ++slot)
    if (IsExportOf(pid, slot)) bytes += ledger.PartBytes(slot);
  return bytes;
}

// To its maker it is memory as all other, as long as that has it.
bool TenantView::IsExportOf(unsigned pid, uint32_t slot) const {
  ledger::OwnerIdentity owner{};
  uint64_t generation = 0;
  return ledger::ReadOwner(*pages_.usage, slot, owner, generation) &&
         ledger::IsMadeBy(owner, pid, Self().pid_namespace);
}

void TenantView::SweepIfDue() {
  const uint64_t now = guest::CoarseNow();
  uint64_t last = last_sweep_ns_.load(std::memory_order_relaxed);
  if (now - last < kSweepPauseNs || !last_sweep_ns_.compare_exchange_strong(last, now)) return;
  Observer(pages_, Self()).Sweep(SlotSet{});
}

}  // namespace warpshare::interposer
