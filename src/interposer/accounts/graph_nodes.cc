#include "interposer/accounts/graph_nodes.h"

#include "interposer/accounts/place.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/guest/fork_wiped.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

// Graphs in graphs in graphs: drivers allow fewer.
constexpr int kMostDepth = 16;

// Pages that grow as a list does.
template <typename Item>
class PageList {
 public:
  PageList() = default;
  ~PageList() { Free(items_, capacity_); }
  PageList(const PageList&) = delete;
  PageList& operator=(const PageList&) = delete;

  bool MakeRoom(size_t capacity) {
    if (capacity <= capacity_) return true;
    auto* items = static_cast<Item*>(guest::MapZeroed(capacity * sizeof(Item), /*wiped=*/false));
    if (items == nullptr) return false;
    for (size_t i = 0; i < size_; ++i) items[i] = items_[i];
    Free(items_, capacity_);
    items_ = items;
    capacity_ = capacity;
    return true;
  }
  void Add(const Item& item) {
    if (size_ < capacity_ || MakeRoom(capacity_ == 0 ? 256 : capacity_ * 2)) items_[size_++] = item;
  }

  Item* items() { return items_; }
  size_t size() const { return size_; }

 private:
  static void Free(Item* items, size_t capacity) {
    if (items != nullptr) guest::Unmap(items, capacity * sizeof(Item));
  }

  Item* items_ = nullptr;
  size_t capacity_ = 0;
  size_t size_ = 0;
};

using Ranges = PageList<AddressRange>;

void Visit(CUgraph graph, int depth, VisitNode visit) {
  size_t count = 0;
  if (depth > kMostDepth || REAL(cuGraphGetNodes)(graph, nullptr, &count) != CUDA_SUCCESS) return;
  PageList<CUgraphNode> nodes;
  if (count == 0 || !nodes.MakeRoom(count)) return;
  if (REAL(cuGraphGetNodes)(graph, nodes.items(), &count) != CUDA_SUCCESS) return;
  for (size_t i = 0; i < count; ++i) {
    const CUgraphNode node = nodes.items()[i];
    CUgraphNodeType type;
    if (REAL(cuGraphNodeGetType)(node, &type) != CUDA_SUCCESS) continue;
    visit(node, type);
    CUgraph child = nullptr;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH &&
        REAL(cuGraphChildGraphNodeGetGraph)(node, &child) == CUDA_SUCCESS) {
      Visit(child, depth + 1, visit);
    }
  }
}

void AddRange(CUgraphNode node, Ranges& ranges, GraphDemand& demand) {
  CUDA_MEM_ALLOC_NODE_PARAMS params{};
  if (REAL(cuGraphMemAllocNodeGetParams)(node, &params) != CUDA_SUCCESS) return;
  const CUdevice device = params.poolProps.location.id;
  const Place place = PlaceOfDevice(device);
  if (!place) return;
  demand.device[place.account->card()] = device;
  ranges.Add({.start = params.dptr, .bytes = params.bytesize, .card = place.account->card()});
}

bool IsBefore(const AddressRange& a, const AddressRange& b) {
  return a.card != b.card ? a.card < b.card : a.start < b.start;
}

// Shell's sort: in place, without recursion, fast enough for thousands.
void Sort(AddressRange* ranges, uint32_t count) {
  for (uint32_t gap = count / 2; gap > 0; gap /= 2) {
    for (uint32_t i = gap; i < count; ++i) {
      const AddressRange moved = ranges[i];
      uint32_t at = i;
      for (; at >= gap && IsBefore(moved, ranges[at - gap]); at -= gap) {
        ranges[at] = ranges[at - gap];
      }
      ranges[at] = moved;
    }
  }
}

}  // namespace

void ForEachNode(CUgraph graph, VisitNode visit) { Visit(graph, 0, visit); }

bool GraphDemand::IsNothing() const {
  for (const uint64_t of_card : bytes) {
    if (of_card != 0) return false;
  }
  return true;
}

void AddUp(AddressRange* ranges, uint32_t count, uint64_t (&bytes)[abi::kMaxCards + 1]) {
  Sort(ranges, count);
  uint64_t covered_to = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const AddressRange& range = ranges[i];
    if (i == 0 || range.card != ranges[i - 1].card) covered_to = 0;
    const uint64_t end = range.start + range.bytes;
    const uint64_t from = range.start > covered_to ? range.start : covered_to;
    if (end <= from) continue;
    bytes[range.card] += end - from;
    covered_to = end;
  }
}

GraphDemand DemandOf(CUgraph graph) {
  GraphDemand demand{};
  Ranges ranges;
  ForEachNode(graph, [&](CUgraphNode node, CUgraphNodeType type) {
    if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) AddRange(node, ranges, demand);
  });
  AddUp(ranges.items(), static_cast<uint32_t>(ranges.size()), demand.bytes);
  return demand;
}

}  // namespace warpshare::interposer
