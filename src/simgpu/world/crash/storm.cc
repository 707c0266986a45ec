#include "simgpu/world/crash/storm.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace simgpu::world {
namespace {

constexpr uint64_t kUs = 1'000;

void Require(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "storm %d: %s\n", getpid(), promise);
  _exit(3);
}

uint64_t ReadWord(const void* address) {
  uint64_t word = 0;
  std::memcpy(&word, address, sizeof(word));
  return word;
}

void WriteWord(void* address, uint64_t word) { std::memcpy(address, &word, sizeof(word)); }

char* LastWord(void* start, uint64_t bytes) {
  return static_cast<char*>(start) + bytes - sizeof(uint64_t);
}

}  // namespace

void Storm::Step() {
  switch (Below(12)) {
    case 0:
    case 1:
    case 2:
      return Allocate();
    case 3:
    case 4:
      return Free();
    case 5:
      return ChargeAndUncharge();
    case 6:
      return ShareExtent();
    case 7:
      return HoldSomeones();
    case 8:
      return ExportAndImport();
    case 9:
    case 10:
      return Compute();
    default:
      return Ask();
  }
}

void Storm::Allocate() {
  const uint64_t bytes = 16 + Below(uint64_t{1} << (5 + Below(20)));  // to 16 MiB, small ones often
  const auto allocation = world_.memory().Allocate(AnyCard(), bytes);
  if (!allocation) return Free();
  const uint64_t tag = random_();
  WriteWord(allocation->address, tag);
  WriteWord(LastWord(allocation->address, bytes), ~tag);
  pieces_.push_back({*allocation, tag});
}

void Storm::Free() {
  if (pieces_.empty()) return;
  const size_t index = Below(pieces_.size());
  const Piece piece = pieces_[index];
  pieces_[index] = pieces_.back();
  pieces_.pop_back();
  void* start = piece.allocation.address;
  Require(ReadWord(start) == piece.tag, "the start of an allocation was overwritten");
  Require(ReadWord(LastWord(start, piece.allocation.bytes)) == ~piece.tag,
          "the end of an allocation was overwritten");
  Require(world_.memory().Free(start), "an allocation could not be freed");
}

void Storm::ChargeAndUncharge() {
  const int card = AnyCard();
  const uint64_t bytes = Below(10 * kMiB);
  if (!world_.memory().Charge(card, MemoryKind::kContext, bytes)) return;
  if (Below(2) == 0) world_.memory().Uncharge(card, MemoryKind::kContext, bytes);
}

void Storm::ShareExtent() {
  const uint64_t bytes = 1 + Below(6 * kMiB);
  const auto extent = world_.memory().AllocateExtent(AnyCard(), bytes, MemoryKind::kData);
  if (!extent) return;
  Require(ReadWord(extent->address) == 0, "a new extent does not read as zero");
  Require(ReadWord(LastWord(extent->address, extent->span)) == 0,
          "the end of a new extent does not read as zero");
  WriteWord(extent->address, 1);
  WriteWord(LastWord(extent->address, extent->span), 1);
  const ExtentName name = world_.memory().NameOf(*extent);
  uint64_t words[3];
  std::memcpy(words, &name, sizeof(words));
  auto& place = board_.names[Below(board_.names.size())];
  for (size_t i = 0; i < place.size(); ++i) place[i].store(words[i], std::memory_order_relaxed);
  if (Below(4) != 0) world_.memory().Release(*extent);
}

void Storm::HoldSomeones() {
  const auto& place = board_.names[Below(board_.names.size())];
  uint64_t words[3];
  for (size_t i = 0; i < place.size(); ++i) words[i] = place[i].load(std::memory_order_relaxed);
  ExtentName name;
  std::memcpy(&name, words, sizeof(name));
  const auto extent = world_.memory().Hold(name);
  if (!extent) return;
  WriteWord(extent->address, ReadWord(extent->address) + 1);
  if (Below(8) != 0) world_.memory().Release(*extent);
}

void Storm::ExportAndImport() {
  const auto extent = world_.memory().AllocateExtent(AnyCard(), kBlockBytes, MemoryKind::kData);
  if (!extent) return;
  const int fd = world_.memory().ExportFd(*extent);
  Require(fd >= 0, "an extent could not be exported");
  world_.memory().Release(*extent);
  const auto imported = world_.memory().ImportFd(fd);
  Require(imported.has_value(), "an open descriptor did not keep its extent");
  close(fd);
  world_.memory().Release(*imported);
}

void Storm::Compute() {
  const auto kind = static_cast<EngineKind>(Below(kEngineKinds));
  const int card = AnyCard();
  const Work work{.card = card,
                  .engine = kind,
                  .duration_ns = 1 + Below(300 * kUs),
                  .ready_ns = NowNs(),
                  .more_follows = Below(2) == 0};
  if (Below(3) == 0) {
    (void)world_.engine().Try(work);
    world_.engine().Withdraw(card, kind);
    return;
  }
  const Interval interval = world_.engine().Reserve(work);
  Require(interval.start_ns >= work.ready_ns, "work ran before it was ready");
  Require(interval.end_ns - interval.start_ns == work.duration_ns, "work has not its duration");
  if (Below(4) == 0) world_.engine().Idle(card, kind);
}

void Storm::Ask() {
  const int card = AnyCard();
  const MemoryUse use = world_.memory().Use(card);
  Require(use.used + use.free == use.total, "used and free are not the total");
  for (const ProcessUse& process : world_.Processes()) {
    Require(process.cards[card].memory.total() <= use.total, "an account is over the card");
  }
  if (Below(10) == 0) world_.events().Inject(card, 31);
  (void)world_.events().Last();
}

int RunSequence(World& world, int stop_before) {
  Memory& memory = world.memory();
  Engine& engine = world.engine();
  std::optional<Allocation> small;
  std::optional<Allocation> large;
  std::optional<Extent> extent;
  int fd = -1;
  const std::function<void()> operations[] = {
      [&] { (void)memory.Charge(0, MemoryKind::kContext, 5 * kMiB); },
      [&] { small = memory.Allocate(0, 1000); },
      [&] { large = memory.Allocate(0, 5 * kMiB); },
      [&] { WriteWord(large->address, 1); },
      [&] { extent = memory.AllocateExtent(1, 3 * kMiB, MemoryKind::kData); },
      [&] { fd = memory.ExportFd(*extent); },
      [&] { (void)memory.Hold(memory.NameOf(*extent)); },
      [&] { memory.Release(*extent); },
      [&] {
        (void)engine.Reserve({.duration_ns = kUs, .ready_ns = NowNs(), .more_follows = true});
      },
      [&] { (void)engine.Reserve({.duration_ns = kUs, .ready_ns = NowNs()}); },
      [&] { (void)engine.ReserveCopy(0, EngineKind::kCopyIn, 100'000, NowNs()); },
      [&] { engine.Idle(0, EngineKind::kCompute); },
      [&] { world.events().Inject(0, 31); },
      [&] { memory.Free(small->address); },
      [&] { memory.Free(large->address); },
      [&] { memory.Release(*extent); },
      [&] { close(fd); },
      [&] { world.Reap(); },
      [&] { memory.Uncharge(0, MemoryKind::kContext, kMiB); },
  };
  int number = 0;
  for (const auto& operation : operations) {
    if (number++ == stop_before) raise(SIGSTOP);
    operation();
  }
  return number;
}

}  // namespace simgpu::world
