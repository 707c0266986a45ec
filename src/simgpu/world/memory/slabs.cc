#include "simgpu/world/memory/slabs.h"

#include <algorithm>
#include <bit>

namespace simgpu::world {
namespace {

constexpr uint64_t kFineLimit =
    8 * 1024;  // up to here in steps of 512; above, four sizes a doubling
constexpr uint64_t kFineClasses = kFineLimit / kSmallAlignment;
constexpr uint64_t kManyToABlock = 64 * 1024;  // larger objects have slabs of several blocks
constexpr uint64_t kLargeSlabBytes = 8 * kBlockBytes;
constexpr uint64_t kClasses = kFineClasses + 4 * 7;  // up to 1 MiB

uint64_t ClassOf(uint64_t bytes) {
  if (bytes <= kFineLimit) return (bytes + kSmallAlignment - 1) / kSmallAlignment - 1;
  const auto doubling = static_cast<uint64_t>(std::bit_width((bytes - 1) / kFineLimit)) - 1;
  const uint64_t step = (kFineLimit << doubling) / 4;
  const uint64_t quarter = (bytes - (kFineLimit << doubling) + step - 1) / step;
  return kFineClasses + doubling * 4 + quarter - 1;
}

uint64_t ObjectBytes(uint64_t size_class) {
  if (size_class < kFineClasses) return (size_class + 1) * kSmallAlignment;
  const uint64_t coarse = size_class - kFineClasses;
  const uint64_t base = kFineLimit << (coarse / 4);
  return base + base / 4 * (coarse % 4 + 1);
}

}  // namespace

struct Slabs::Slab {
  Extent extent;
  uint64_t size_class = 0;
  uint64_t start = 0;           // window offset
  std::vector<uint32_t> asked;  // bytes of each object; 0: free
  std::vector<uint32_t> free;   // numbers put back
  uint32_t untouched = 0;       // objects from here on were never taken
  uint32_t taken = 0;

  uint64_t object_bytes() const { return ObjectBytes(size_class); }
  bool full() const { return taken == asked.size(); }
  SlabObject Describe(uint32_t number) const {
    return {&extent, number * object_bytes(), asked[number]};
  }
};

struct Slabs::Place {
  Slab* slab = nullptr;
  uint32_t number = 0;
  uint64_t within = 0;
};

Slabs::Slabs() : open_(kClasses) {}
Slabs::~Slabs() = default;

uint64_t Slabs::SlabBytes(uint64_t bytes) {
  return ObjectBytes(ClassOf(bytes)) <= kManyToABlock ? kBlockBytes : kLargeSlabBytes;
}

void Slabs::Add(uint64_t bytes, const Extent& extent) {
  auto slab = std::make_unique<Slab>();
  slab->extent = extent;
  slab->size_class = ClassOf(bytes);
  slab->start = extent.block * kBlockBytes;
  slab->asked.resize(extent.span / slab->object_bytes());
  open_[slab->size_class].push_back(slab.get());
  by_start_[slab->start] = std::move(slab);
}

std::optional<SlabObject> Slabs::Take(uint64_t bytes) {
  auto& open = open_[ClassOf(bytes)];
  if (open.empty()) return std::nullopt;
  Slab& slab = *open.back();
  uint32_t number = slab.untouched;
  if (slab.free.empty()) {
    ++slab.untouched;
  } else {
    number = slab.free.back();
    slab.free.pop_back();
  }
  slab.asked[number] = static_cast<uint32_t>(bytes);
  ++slab.taken;
  if (slab.full()) open.pop_back();
  return slab.Describe(number);
}

std::optional<Slabs::Place> Slabs::Locate(uint64_t offset) const {
  auto found = by_start_.upper_bound(offset);
  if (found == by_start_.begin()) return std::nullopt;
  Slab& slab = *std::prev(found)->second;
  const uint64_t from_start = offset - slab.start;
  const uint64_t number = from_start / slab.object_bytes();
  if (number >= slab.asked.size() || slab.asked[number] == 0) return std::nullopt;
  return Place{&slab, static_cast<uint32_t>(number), from_start % slab.object_bytes()};
}

std::optional<SlabObject> Slabs::Find(uint64_t offset) const {
  const auto place = Locate(offset);
  if (!place || place->within >= place->slab->asked[place->number]) return std::nullopt;
  return place->slab->Describe(place->number);
}

std::optional<uint64_t> Slabs::Put(uint64_t offset, std::optional<Extent>* emptied) {
  const auto place = Locate(offset);
  if (!place || place->within != 0) return std::nullopt;
  Slab& slab = *place->slab;
  const uint64_t bytes = slab.asked[place->number];
  auto& open = open_[slab.size_class];
  if (slab.full()) open.push_back(&slab);
  slab.asked[place->number] = 0;
  slab.free.push_back(place->number);
  --slab.taken;
  // The only open slab of its size stays, so that taking and putting back one object does not make
  // one each time.
  if (slab.taken == 0 && open.size() > 1) {
    *emptied = slab.extent;
    std::erase(open, &slab);
    by_start_.erase(slab.start);
  }
  return bytes;
}

}  // namespace simgpu::world
