#include "bench/share/load/kernels.h"

#include <algorithm>
#include <iterator>

namespace warpshare::load {

namespace {

// Each ends with a store that never happens but that a compiler cannot rule out: without it, ptxas
// takes the whole loop away.
constexpr char kSpin[] = R"((.param .u64 rounds)
{
  .reg .u64 %left, %now, %sum;
  .reg .pred %last;
  ld.param.u64 %left, [rounds];
  mov.u64 %sum, 0;
again:
  setp.eq.u64 %last, %left, 0;
  @%last bra end;
  mov.u64 %now, %clock64;
  xor.b64 %sum, %sum, %now;
  sub.u64 %left, %left, 1;
  bra again;
end:
  setp.eq.u64 %last, %sum, 0xffffffffffffffff;
  @%last st.global.u64 [kept], %sum;
  ret;
}
)";

constexpr char kCompute[] = R"((.param .u64 rounds)
{
  .reg .u64 %left;
  .reg .u32 %thread;
  .reg .f32 %a, %b, %c, %d;
  .reg .pred %last;
  ld.param.u64 %left, [rounds];
  mov.u32 %thread, %tid.x;
  cvt.rn.f32.u32 %a, %thread;
  mov.f32 %b, %a;
  mov.f32 %c, %a;
  mov.f32 %d, %a;
again:
  setp.eq.u64 %last, %left, 0;
  @%last bra end;
  fma.rn.f32 %a, %a, 0f3F000000, 0f3F800000;
  fma.rn.f32 %b, %b, 0f3F000000, %a;
  fma.rn.f32 %c, %c, 0f3F000000, %b;
  fma.rn.f32 %d, %d, 0f3F000000, %c;
  sub.u64 %left, %left, 1;
  bra again;
end:
  setp.eq.f32 %last, %d, 0fC2F60000;
  @%last st.global.f32 [kept], %d;
  ret;
}
)";

// Every thread 16 bytes a round, next to its neighbours'; all of them together move on by the whole
// grid.
constexpr char kMemory[] = R"((.param .u64 rounds, .param .u64 memory, .param .u64 mask)
{
  .reg .u64 %left, %memory, %mask, %offset, %step, %at;
  .reg .u32 %block, %threads, %thread;
  .reg .f32 %a, %b, %c, %d;
  .reg .pred %last;
  ld.param.u64 %left, [rounds];
  ld.param.u64 %memory, [memory];
  ld.param.u64 %mask, [mask];
  cvta.to.global.u64 %memory, %memory;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %thread, %block, %threads, %thread;
  mul.wide.u32 %offset, %thread, 16;
  mov.u32 %block, %nctaid.x;
  mul.lo.u32 %threads, %block, %threads;
  mul.wide.u32 %step, %threads, 16;
again:
  setp.eq.u64 %last, %left, 0;
  @%last bra end;
  and.b64 %offset, %offset, %mask;
  add.u64 %at, %memory, %offset;
  ld.global.v4.f32 {%a, %b, %c, %d}, [%at];
  st.global.v4.f32 [%at], {%a, %b, %c, %d};
  add.u64 %offset, %offset, %step;
  sub.u64 %left, %left, 1;
  bra again;
end:
  ret;
}
)";

constexpr KernelKind kKinds[] = {
    {.name = "spin",
     .body = kSpin,
     .blocks_a_sm = 0,
     .threads = 1,
     .memory_bytes = 0,
     .calibration_rounds = 2'000'000},
    {.name = "compute",
     .body = kCompute,
     .blocks_a_sm = 2,
     .threads = 256,
     .memory_bytes = 0,
     .calibration_rounds = 2'000'000},
    {.name = "memory",
     .body = kMemory,
     .blocks_a_sm = 2,
     .threads = 1024,
     .memory_bytes = uint64_t{256} << 20,
     .calibration_rounds = 20'000},
};

}  // namespace

const KernelKind* FindKernelKind(const std::string& name) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const KernelKind& kind) { return name == kind.name; });
  return found == std::end(kKinds) ? nullptr : found;
}

std::string Image(const KernelKind& kind, const std::string& kernel_name) {
  return ".version 6.4\n.target sm_75\n.address_size 64\n.visible .global .align 8 .u64 "
         "kept;\n.visible .entry " +
         kernel_name + kind.body;
}

}  // namespace warpshare::load
