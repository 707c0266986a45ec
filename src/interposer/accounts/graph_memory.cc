#include "interposer/accounts/graph_memory.h"

#include "interposer/accounts/place.h"
#include "interposer/accounts/stream_order.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// The least that drivers map at a time.
constexpr uint64_t kAssumedLump = uint64_t{2} << 20;

using Grant = ReportedStore::Grant;

uint64_t KeyOf(CUgraphExec exec) { return reinterpret_cast<uint64_t>(exec); }

bool ReadGraphMemory(uint64_t device, ReportedStore::Quantity quantity, uint64_t& bytes) {
  const bool is_reserved = quantity == ReportedStore::Quantity::kReserved;
  return REAL(cuDeviceGetGraphMemAttribute)(static_cast<CUdevice>(device),
                                            is_reserved ? CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT
                                                        : CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT,
                                            &bytes) == CUDA_SUCCESS;
}

template <typename Visit>
void ForEachCard(const GraphDemand& demand, Visit visit) {
  for (uint32_t card = 0; card <= abi::kMaxCards; ++card) {
    if (demand.bytes[card] != 0) visit(card);
  }
}

}  // namespace

GraphMemory::ExecRecord* GraphMemory::Find(CUgraphExec exec) {
  Live live;
  if (!has_execs_.load(std::memory_order_relaxed) || exec == nullptr ||
      !execs_.Find(KeyOf(exec), live)) {
    return nullptr;
  }
  return reinterpret_cast<ExecRecord*>(live.owner);
}

void GraphMemory::Remember(CUgraphExec exec, const GraphDemand& demand, bool is_uploaded) {
  ExecRecord* record = records_.Take();
  if (record == nullptr) return;
  record->demand = demand;
  record->uploaded_at.store(is_uploaded ? 1 + trims_.load() : 0);
  const Live live{
      .bytes = 0, .card = abi::kMaxCards, .kind = 0, .owner = reinterpret_cast<uint64_t>(record)};
  Live replaced{};
  if (execs_.Add(KeyOf(exec), live, replaced) == LiveTable::Added::kReplaced) {
    records_.Return(reinterpret_cast<ExecRecord*>(replaced.owner));
  }
  has_execs_.store(true, std::memory_order_relaxed);
}

ReportedStore& GraphMemory::StoreOf(const GraphDemand& demand, uint32_t card) {
  ReportedStore& store = stores_[card];
  if (is_open_[card].load(std::memory_order_acquire)) [[likely]]
    return store;
  const guest::LockGuard guard(opening_);
  if (is_open_[card].load(std::memory_order_relaxed)) return store;
  const CUdevice device = demand.device[card];
  store.Open({.account = PlaceOfDevice(device).account,
              .reader = ReadGraphMemory,
              .trimmer = nullptr,
              .handle = static_cast<uint64_t>(device),
              .assumed_lump = kAssumedLump});
  is_open_[card].store(true, std::memory_order_release);
  return store;
}

void GraphMemory::Recount(const GraphDemand& demand) {
  ForEachCard(demand, [&](uint32_t card) { StoreOf(demand, card).Recount(); });
}

CUresult GraphMemory::Grow(const GraphDemand& demand, DriverCall call, DriverCall undo) {
  ReportedStore::Growth growths[abi::kMaxCards + 1] = {};
  uint32_t refused_by = abi::kMaxCards + 1;
  ForEachCard(demand, [&](uint32_t card) {
    ReportedStore& store = StoreOf(demand, card);
    ReportedStore::Growth& growth = growths[card];
    growth.asked = demand.bytes[card];
    store.Begin(store.handle(), growth);
    if (growth.grant != Grant::kNeedsRoom) return;
    if (refused_by > abi::kMaxCards) store.MakeRoom(ReportedStore::Otherwise::kLeast, growth);
    if (growth.grant == Grant::kRefused) refused_by = card;
  });
  const bool is_refused = refused_by <= abi::kMaxCards;
  const CUresult result = is_refused ? CUDA_ERROR_OUT_OF_MEMORY : call();
  bool fits = true;
  ForEachCard(demand, [&](uint32_t card) {
    ReportedStore& store = stores_[card];
    if (result != CUDA_SUCCESS) {
      store.Cancel(growths[card]);
    } else if (!store.Settle(growths[card])) {
      fits = store.account()->Refuse(demand.bytes[card]);
    }
    (void)store.Drop();
  });
  if (result != CUDA_SUCCESS) return result;
  if (fits) return CUDA_SUCCESS;
  (void)undo();
  gate_.BeginTrim();
  ForEachCard(demand, [&](uint32_t card) { REAL(cuDeviceGraphMemTrim)(demand.device[card]); });
  trims_.fetch_add(1);
  gate_.EndTrim();
  Recount(demand);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult GraphMemory::Instantiate(CUgraphExec* exec, CUgraph graph, bool uploads, DriverCall call) {
  if (Session::Current() == nullptr || exec == nullptr || graph == nullptr) return call();
  const GraphDemand demand = DemandOf(graph);
  if (demand.IsNothing()) return call();
  const CUresult result =
      uploads ? Grow(demand, call, [=] { return REAL(cuGraphExecDestroy)(*exec); }) : call();
  if (result == CUDA_SUCCESS) {
    Remember(*exec, demand, uploads);
    Recount(demand);
  }
  return result;
}

CUresult GraphMemory::Upload(CUgraphExec exec, CUstream stream, DriverCall call) {
  ExecRecord* record = Find(exec);
  if (record == nullptr || IsCapturing(stream)) return call();
  const uint64_t now = 1 + trims_.load();
  const CUresult result = Grow(record->demand, call, [] { return CUDA_SUCCESS; });
  if (result == CUDA_SUCCESS) record->uploaded_at.store(now);
  return result;
}

CUresult GraphMemory::Launch(CUgraphExec exec, CUstream stream, DriverCall call) {
  ExecRecord* record = Find(exec);
  if (record == nullptr || IsCapturing(stream)) return call();
  gate_.BeginLaunch();
  while (!IsUploaded(*record)) {
    gate_.EndLaunch();
    const CUresult uploaded =
        Upload(exec, stream, [=] { return REAL(cuGraphUpload)(exec, stream); });
    if (uploaded != CUDA_SUCCESS) return uploaded;
    gate_.BeginLaunch();
  }
  const CUresult result = call();
  Recount(record->demand);
  gate_.EndLaunch();
  return result;
}

CUresult GraphMemory::DestroyExec(CUgraphExec exec, DriverCall call) {
  Live live;
  if (Find(exec) == nullptr || !execs_.Take(KeyOf(exec), live)) return call();
  auto* record = reinterpret_cast<ExecRecord*>(live.owner);
  const CUresult result = call();
  if (result != CUDA_SUCCESS && execs_.PutBack(KeyOf(exec), live)) return result;
  records_.Return(record);
  ShrinkAll();
  return result;
}

CUresult GraphMemory::Trim(DriverCall call) {
  gate_.BeginTrim();
  const CUresult result = call();
  trims_.fetch_add(1);
  gate_.EndTrim();
  ShrinkAll();
  return result;
}

void GraphMemory::ShrinkAll() {
  if (!has_execs_.load(std::memory_order_relaxed)) return;
  for (ReportedStore& store : stores_) store.Shrink();
}

}  // namespace warpshare::interposer
