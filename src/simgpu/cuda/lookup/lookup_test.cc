#include <gtest/gtest.h>

#include "abi/driver/entry_points.h"
#include "simgpu/cuda/lookup/entry_table.h"
#include "simgpu/cuda/result.h"

// Only addresses are needed of the functions that the tests name.
namespace {
using GetProcAddressV1 = CUresult (*)(const char*, void**, int, uint64_t);
using GetProcAddressV2 = CUresult (*)(const char*, void**, int, uint64_t,
                                      CUdriverProcAddressQueryResult*);
}  // namespace

extern "C" {
#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) int symbol();
#include "abi/driver/entry_points.def"
}

namespace simgpu::cuda {
namespace {

using warpshare::abi::kCudaEntries;

#define ADDRESS(symbol) reinterpret_cast<void*>(&symbol)

void* Find(const char* name, int version, bool per_thread = false) {
  return LookUp(name, version, per_thread).address;
}

TEST(Lookup, GivesTheVersionTheAskerWasBuiltFor) {
  EXPECT_EQ(Find("cuMemAlloc", 2000), ADDRESS(cuMemAlloc));
  EXPECT_EQ(Find("cuMemAlloc", 3010), ADDRESS(cuMemAlloc));
  EXPECT_EQ(Find("cuMemAlloc", 3020), ADDRESS(cuMemAlloc_v2));
  EXPECT_EQ(Find("cuMemAlloc", 13000), ADDRESS(cuMemAlloc_v2));
  EXPECT_EQ(Find("cuCtxCreate", 12000), ADDRESS(cuCtxCreate_v3));
  EXPECT_EQ(Find("cuCtxCreate", 12050), ADDRESS(cuCtxCreate_v4));
  EXPECT_EQ(Find("cuGetProcAddress", 11030), ADDRESS(cuGetProcAddress));
  EXPECT_EQ(Find("cuGetProcAddress", 12000), ADDRESS(cuGetProcAddress_v2));
  EXPECT_EQ(Find("cuGraphInstantiate", 12000), ADDRESS(cuGraphInstantiateWithFlags));
}

TEST(Lookup, GivesTheFlavourOfTheDefaultStreamAskedFor) {
  EXPECT_EQ(Find("cuMemcpyHtoD", 12000, false), ADDRESS(cuMemcpyHtoD_v2));
  EXPECT_EQ(Find("cuMemcpyHtoD", 12000, true), ADDRESS(cuMemcpyHtoD_v2_ptds));
  EXPECT_EQ(Find("cuLaunchKernel", 12000, true), ADDRESS(cuLaunchKernel_ptsz));
  EXPECT_EQ(Find("cuMemAlloc", 12000, true), ADDRESS(cuMemAlloc_v2));
  // The flavour is younger than what it is a flavour of.
  EXPECT_EQ(Find("cuLaunchKernel", 5000, true), ADDRESS(cuLaunchKernel));
}

TEST(Lookup, TellsTooOldFromUnknown) {
  EXPECT_EQ(LookUp("cuGraphCreate", 9000, false).status, LookupStatus::kTooOldAsker);
  EXPECT_EQ(LookUp("cuNoSuchThing", 13000, false).status, LookupStatus::kUnknown);
  EXPECT_EQ(LookUp("cuMemAlloc_v2", 13000, false).status, LookupStatus::kUnknown);
  EXPECT_EQ(LookUp("", 13000, false).status, LookupStatus::kUnknown);
}

TEST(Lookup, FindsEveryRowUnderItsOwnNameAndVersion) {
  for (const auto& entry : kCudaEntries) {
    if (entry.since == 0) continue;
    const bool per_thread = entry.stream_mode == warpshare::abi::StreamMode::kPerThread;
    EXPECT_NE(Find(entry.proc_name, entry.since, per_thread), nullptr) << entry.symbol;
  }
}

TEST(Lookup, DoesNotInventAnAnswerForARowThatNoHeaderKnows) {
  EXPECT_EQ(LookUp("cuMemGetAttribute", 13000, false).status, LookupStatus::kUnknown);
}

TEST(GetProcAddress, AnswersWithResultAndStatus) {
  const auto ask = reinterpret_cast<GetProcAddressV2>(ADDRESS(cuGetProcAddress_v2));
  void* address = &address;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  EXPECT_EQ(ask("cuInit", &address, 13000, 0, &status), CUDA_SUCCESS);
  EXPECT_EQ(address, ADDRESS(cuInit));
  EXPECT_EQ(ask("cuGraphCreate", &address, 9000, 0, &status), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(address, nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT_EQ(ask("", &address, 13000, 0, &status), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(ask("cuInit", &address, 13000, 0, nullptr), CUDA_SUCCESS);
}

TEST(GetProcAddress, RefusesBadArguments) {
  const auto ask = reinterpret_cast<GetProcAddressV1>(ADDRESS(cuGetProcAddress));
  void* address = nullptr;
  EXPECT_EQ(ask(nullptr, &address, 13000, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(ask("cuInit", nullptr, 13000, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(ask("cuInit", &address, 13000, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(ask("cuInit", &address, 13000, 3), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace simgpu::cuda
