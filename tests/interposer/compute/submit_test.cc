// Every function that gives the card work, one by one: it is charged, and it waits for its turn.
#include <string_view>

#include "abi/driver/entry_points.h"
#include "compute/submit_rows.h"
#include "simgpu/cuda/context/api.h"

namespace warpshare::testing {
namespace {

class SubmitTest : public ComputeTest {
 protected:
  using OfRow = std::function<void(Site& site, const SubmitRow& row)>;

  void ForEach(const std::vector<SubmitRow>& rows, const OfRow& body) {
    InProgram([&](Program& program) {
      Site site(program);
      for (const SubmitRow& row : rows) {
        SCOPED_TRACE(row.symbol);
        body(site, row);
      }
    });
  }
};

bool IsIn(const std::vector<SubmitRow>& rows, std::string_view symbol) {
  for (const SubmitRow& row : rows)
    if (row.symbol == symbol) return true;
  return false;
}

TEST_F(SubmitTest, EveryHookOfASubmittingFunctionIsTested) {
  const std::vector<SubmitRow> work = WorkRows();
  const std::vector<SubmitRow> waits = WaitRows();
  size_t found = 0;
  for (const abi::CudaEntry& entry : abi::kCudaEntries) {
    const bool submits = entry.effect == abi::Effect::kSubmits ||
                         std::string_view(entry.proc_name) == "cuGraphLaunch";
    if (entry.handling != abi::Handling::kHook || !submits) continue;
    ++found;
    EXPECT_NE(IsIn(work, entry.symbol), IsIn(waits, entry.symbol)) << entry.symbol;
  }
  EXPECT_EQ(found, work.size() + waits.size());
}

TEST_F(SubmitTest, WorkIsChargedToTheTenant) {
  ForEach(WorkRows(), [&](Site& site, const SubmitRow& row) {
    if (!row.is_simulated) return;
    const uint64_t before = turns_.UsedNs();
    // More than once: what earlier calls were charged too much is taken off.
    EXPECT_TRUE(Eventually([&] {
      EXPECT_EQ(row.call(site), CUDA_SUCCESS);
      return turns_.UsedNs() > before;
    }));
  });
}

TEST_F(SubmitTest, WorkWaitsForTheTurn) {
  ForEach(WorkRows(), [&](Site& site, const SubmitRow& row) {
    ExpectHeldBack(site.tenant, [&] { return row.call(site); });
  });
}

TEST_F(SubmitTest, WhatMakesAStreamWaitIsFree) {
  ForEach(WaitRows(), [&](Site& site, const SubmitRow& row) {
    ExpectFree(site.tenant, [&] { return row.call(site); });
  });
}

TEST_F(SubmitTest, NothingIsChargedWhereTimeIsNotShared) {
  turns_.Share(abi::ComputeMode::kNone);
  ForEach(WorkRows(), [&](Site& site, const SubmitRow& row) {
    ExpectFree(site.tenant, [&] { return row.call(site); });
  });
  EXPECT_EQ(turns_.UsedNs(), 0u);
  EXPECT_EQ(turns_.WaitsCounted(), 0u);
}

TEST_F(SubmitTest, WhatTheDriverRefusesIsNotCharged) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    for (int i = 0; i < 200; ++i)
      ASSERT_EQ(program.LaunchShaped(kernel, 100'000), CUDA_ERROR_INVALID_VALUE);
    EXPECT_LE(turns_.UsedNs(), 20'000u) << "of one, until the next call";
    EXPECT_LT(turns_.AheadNs(), 1'000'000u);
  });
}

TEST_F(SubmitTest, NothingIsChargedWithoutAContext) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUfunction kernel = program.Kernel("spin_20us");
    ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(nullptr), CUDA_SUCCESS);
    for (int i = 0; i < 200; ++i) ASSERT_NE(program.Launch(kernel), CUDA_SUCCESS);
    EXPECT_LE(turns_.UsedNs(), 20'000u);
    ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(program.tenant().context), CUDA_SUCCESS);
  });
}

}  // namespace
}  // namespace warpshare::testing
