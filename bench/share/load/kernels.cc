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

// C = A B, a tile of 16 by 16 of C each block, in memory by tiles: in a round the block brings a
// tile of A and one of B into shared memory, a number a thread, and each thread adds 16 products to
// its number of C. A and B lie in the lower half of the memory, C in the upper one.
constexpr char kGemm[] = R"((.param .u64 rounds, .param .u64 memory, .param .u64 mask)
{
  .reg .u64 %left, %memory, %mask, %a_at, %b_at, %c_at, %at;
  .reg .u32 %thread, %block, %row, %column, %step, %mine_a, %mine_b, %a_next, %b_next, %a_end;
  .reg .f32 %a, %b, %c;
  .reg .pred %last, %more;
  .shared .align 16 .b8 tile_a[1024];
  .shared .align 16 .b8 tile_b[1024];
  ld.param.u64 %left, [rounds];
  ld.param.u64 %memory, [memory];
  ld.param.u64 %mask, [mask];
  cvta.to.global.u64 %memory, %memory;
  shr.u64 %mask, %mask, 1;
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  shl.b32 %step, %thread, 2;
  mul.wide.u32 %c_at, %block, 1024;
  cvt.u64.u32 %at, %step;
  add.u64 %c_at, %c_at, %at;
  and.b64 %c_at, %c_at, %mask;
  mul.wide.u32 %a_at, %block, 65536;
  add.u64 %a_at, %a_at, %at;
  add.u64 %b_at, %mask, 1;
  shr.u64 %b_at, %b_at, 1;
  add.u64 %b_at, %b_at, %a_at;
  mov.u32 %mine_a, tile_a;
  mov.u32 %mine_b, tile_b;
  add.u32 %mine_a, %mine_a, %step;
  add.u32 %mine_b, %mine_b, %step;
  and.b32 %row, %step, 0x3c0;
  and.b32 %column, %step, 0x3c;
  mov.f32 %c, 0f00000000;
again:
  setp.eq.u64 %last, %left, 0;
  @%last bra end;
  and.b64 %at, %a_at, %mask;
  add.u64 %at, %memory, %at;
  ld.global.f32 %a, [%at];
  and.b64 %at, %b_at, %mask;
  add.u64 %at, %memory, %at;
  ld.global.f32 %b, [%at];
  st.shared.f32 [%mine_a], %a;
  st.shared.f32 [%mine_b], %b;
  bar.sync 0;
  mov.u32 %a_next, tile_a;
  add.u32 %a_next, %a_next, %row;
  add.u32 %a_end, %a_next, 64;
  mov.u32 %b_next, tile_b;
  add.u32 %b_next, %b_next, %column;
product:
  ld.shared.f32 %a, [%a_next];
  ld.shared.f32 %b, [%b_next];
  fma.rn.f32 %c, %a, %b, %c;
  add.u32 %a_next, %a_next, 4;
  add.u32 %b_next, %b_next, 64;
  setp.lt.u32 %more, %a_next, %a_end;
  @%more bra product;
  bar.sync 0;
  add.u64 %a_at, %a_at, 1024;
  add.u64 %b_at, %b_at, 1024;
  sub.u64 %left, %left, 1;
  bra again;
end:
  add.u64 %at, %memory, %mask;
  add.u64 %at, %at, 1;
  add.u64 %at, %at, %c_at;
  st.global.f32 [%at], %c;
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
    {.name = "gemm",
     .body = kGemm,
     .blocks_a_sm = 4,
     .threads = 256,
     .memory_bytes = uint64_t{64} << 20,
     .calibration_rounds = 50'000},
};

// One thread each: waits for a word to be written by another kernel, or writes it.
constexpr char kAwaitWord[] = R"((.param .u64 address, .param .u32 value)
{
  .reg .u64 %address;
  .reg .u32 %value, %there;
  .reg .pred %early;
  ld.param.u64 %address, [address];
  ld.param.u32 %value, [value];
  cvta.to.global.u64 %address, %address;
again:
  ld.volatile.global.u32 %there, [%address];
  setp.lt.u32 %early, %there, %value;
  @%early bra again;
  ret;
}
)";

constexpr char kWriteWord[] = R"((.param .u64 address, .param .u32 value)
{
  .reg .u64 %address;
  .reg .u32 %value;
  ld.param.u64 %address, [address];
  ld.param.u32 %value, [value];
  cvta.to.global.u64 %address, %address;
  st.volatile.global.u32 [%address], %value;
  membar.sys;
  ret;
}
)";

std::string Module(const std::string& entry, const char* body) {
  return ".version 6.4\n.target sm_75\n.address_size 64\n.visible .global .align 8 .u64 "
         "kept;\n.visible .entry " +
         entry + body;
}

}  // namespace

const KernelKind* FindKernelKind(const std::string& name) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const KernelKind& kind) { return name == kind.name; });
  return found == std::end(kKinds) ? nullptr : found;
}

std::string Image(const KernelKind& kind, const std::string& kernel_name) {
  return Module(kernel_name, kind.body);
}

std::string AwaitWordImage() { return Module(kAwaitWordName, kAwaitWord); }
std::string WriteWordImage() { return Module(kWriteWordName, kWriteWord); }

}  // namespace warpshare::load
