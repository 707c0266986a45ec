// One process does one thing after the other, of every family and on both cards, in an order that a
// seed makes. After each step what the tenant is charged is what is on the cards.
#include <array>
#include <vector>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "storm/families.h"

namespace warpshare::testing {
namespace {

constexpr int kSteps = 300;
constexpr size_t kMostHeld = 25;

// Where steps are done: the primary context of a card, and what a family needs there.
struct Ground {
  CUcontext context;
  StormThread thread;
};

// Loaded in one context and used in whichever is current by then.
class Libraries {
 public:
  explicit Libraries(Tenant& tenant) : tenant_(tenant) {}

  Undo Load() {
    CUlibrary library = nullptr;
    const CUresult result = CALL(tenant_.cuda, cuLibraryLoadData)(&library, "image", nullptr,
                                                                  nullptr, 0, nullptr, nullptr, 0);
    if (result != CUDA_SUCCESS) return {};
    loaded_.push_back(library);
    return [this, library] {
      std::erase(loaded_, library);
      return CALL(tenant_.cuda, cuLibraryUnload)(library);
    };
  }
  void UseOne(StormThread& thread) {
    static constexpr const char* kNames[] = {"one_1us", "two_1us", "three_1us"};
    if (loaded_.empty()) return;
    CUkernel kernel = nullptr;
    CUfunction function = nullptr;
    const CUlibrary library = loaded_[thread.random() % loaded_.size()];
    ASSERT_EQ(CALL(tenant_.cuda, cuLibraryGetKernel)(&kernel, library, kNames[thread.random() % 3]),
              CUDA_SUCCESS);
    if (thread.random() % 2 == 0)
      function = reinterpret_cast<CUfunction>(kernel);
    else if (CALL(tenant_.cuda, cuKernelGetFunction)(&function, kernel) != CUDA_SUCCESS)
      return;  // it did not fit
    const CUresult launched = CALL(tenant_.cuda, cuLaunchKernel)(function, 1, 1, 1, 1, 1, 1, 0,
                                                                 thread.stream, nullptr, nullptr);
    EXPECT_TRUE(launched == CUDA_SUCCESS || launched == CUDA_ERROR_OUT_OF_MEMORY) << launched;
  }

 private:
  Tenant& tenant_;
  std::vector<CUlibrary> loaded_;
};

class WalkTest : public MemoryTest, public ::testing::WithParamInterface<int> {
 protected:
  WalkTest() : MemoryTest("function_memory = 3MiB\n") {}

  static Ground MakeGround(Tenant& tenant, CUdevice device, int seed) {
    CUcontext context = nullptr;
    CUstream stream = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&context, device), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(context), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    tenant.context = context;
    return {context, {.tenant = tenant, .stream = stream, .random = std::mt19937_64(seed)}};
  }

  // What pools and graphs let go of is taken back when something is refused.
  void ExpectEqual(Tenant& tenant, std::array<Ground, 2>& grounds, int step, const char* what) {
    for (const Ground& ground : grounds) {
      ASSERT_EQ(CALL(tenant.cuda, cuStreamSynchronize)(ground.thread.stream), CUDA_SUCCESS);
    }
    for (uint32_t card = 0; card < 2; ++card) {
      CUdeviceptr pointer = 0;
      ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(grounds[card].context), CUDA_SUCCESS);
      ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kLimit), CUDA_ERROR_OUT_OF_MEMORY);
      ASSERT_EQ(tenant.Charged(card), tenant.OnCard())
          << "card " << card << " after step " << step << ", " << what;
    }
  }
};

TEST_P(WalkTest, AfterEachStepWhatIsChargedIsOnTheCard) {
  InBareTenant([this](Tenant& tenant) {
    std::array<Ground, 2> grounds = {MakeGround(tenant, 0, GetParam()),
                                     MakeGround(tenant, 1, GetParam() + 1000)};
    std::mt19937_64 random(GetParam() + 2000);
    Libraries libraries(tenant);
    std::vector<std::pair<const char*, Undo>> held;
    const auto undo_one = [&] {
      const auto which = held.begin() + static_cast<ptrdiff_t>(random() % held.size());
      const auto [name, undo] = *which;
      held.erase(which);
      EXPECT_EQ(undo(), CUDA_SUCCESS) << name;
      return name;
    };
    for (int step = 0; step < kSteps && !HasFatalFailure(); ++step) {
      Ground& ground = grounds[random() % 2];
      tenant.context = ground.context;
      ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(ground.context), CUDA_SUCCESS);
      const size_t choice = random() % (kStormFamilyCount + 3);
      const char* what = "use of a library";
      if (held.size() > kMostHeld || (!held.empty() && random() % 5 < 2)) {
        what = undo_one();
      } else if (choice < kStormFamilyCount) {
        what = kStormFamilies[choice].name;
        if (Undo undo = kStormFamilies[choice].make(ground.thread)) held.emplace_back(what, undo);
      } else if (choice == kStormFamilyCount) {
        if (Undo undo = libraries.Load()) held.emplace_back("load of a library", undo);
      } else {
        libraries.UseOne(ground.thread);
      }
      ExpectEqual(tenant, grounds, step, what);
    }
    while (!held.empty()) (void)undo_one();
    ExpectEqual(tenant, grounds, kSteps, "the end");
    for (const CUdevice device : {0, 1})
      EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(device), CUDA_SUCCESS);
    for (const uint32_t card : {0u, 1u}) EXPECT_EQ(tenant.Charged(card), 0u);
  });
}
INSTANTIATE_TEST_SUITE_P(Seeds, WalkTest, ::testing::Range(1, 101));

}  // namespace
}  // namespace warpshare::testing
