// Memory of graphs' allocation nodes: a device's driver keeps one store of it for all graphs, which
// is charged for what it holds (reported_store.h). It grows when a graph is first uploaded or
// launched, keeps what it has for the next launch, and lets go of it when it is trimmed or the
// graphs are gone. Adding nodes and capturing allocate nothing, so they cost nothing.
//
// What a graph may make the store grow by is known from its nodes (graph_nodes.h). A launch cannot
// be undone if it turns out not to fit, an upload can: so the first launch of a graph, and the
// first after a trim, is preceded by an upload. Later ones do not grow and are only recounted; no
// trim comes between the look whether the upload still holds and the launch (trim_gate.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/driver_call.h"
#include "interposer/accounts/graph_nodes.h"
#include "interposer/accounts/live_table.h"
#include "interposer/accounts/records.h"
#include "interposer/accounts/reported_store.h"
#include "interposer/accounts/trim_gate.h"

namespace warpshare::interposer {

class GraphMemory {
 public:
  // `call` is the driver's function, of the same meaning. `uploads`: it uploads the graph too.
  CUresult Instantiate(CUgraphExec* exec, CUgraph graph, bool uploads, DriverCall call);
  CUresult Upload(CUgraphExec exec, CUstream stream, DriverCall call);
  CUresult Launch(CUgraphExec exec, CUstream stream, DriverCall call);
  CUresult DestroyExec(CUgraphExec exec, DriverCall call);
  CUresult Trim(DriverCall call);

  // After anything else by which the stores may have let go of memory.
  void ShrinkAll();

  uint64_t BytesOn(uint32_t card) const { return stores_[card].charged(); }
  ReportedStore::Calls CallsOn(uint32_t card) { return stores_[card].calls(); }

 private:
  struct ExecRecord {
    GraphDemand demand;
    std::atomic<uint64_t> uploaded_at;  // 1 + trims_ then; 0: never
  };

  bool IsUploaded(const ExecRecord& record) const {
    return record.uploaded_at.load() == 1 + trims_.load();
  }
  ExecRecord* Find(CUgraphExec exec);
  void Remember(CUgraphExec exec, const GraphDemand& demand, bool is_uploaded);
  ReportedStore& StoreOf(const GraphDemand& demand, uint32_t card);
  // What `call` makes the stores grow by is charged; `undo` is called if it does not fit.
  CUresult Grow(const GraphDemand& demand, DriverCall call, DriverCall undo);
  void Recount(const GraphDemand& demand);

  ReportedStore stores_[abi::kMaxCards + 1];  // by card
  guest::Lock opening_;
  std::atomic<bool> is_open_[abi::kMaxCards + 1];
  std::atomic<bool> has_execs_;
  std::atomic<uint64_t> trims_;  // counts
  TrimGate gate_;
  LiveTable execs_;  // those with memory; owner: the record
  Records<ExecRecord> records_;
};

}  // namespace warpshare::interposer
