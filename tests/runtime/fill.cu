// A CUDA runtime program: takes memory until the runtime refuses, by cudaMalloc and by
// cudaMallocAsync, and computes on it. Prints one JSON line.
// usage: fill LIMIT_BYTES (the tenant's limit; context and code come off it)
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr size_t kPiece = size_t{64} << 20;

#define CHECK(wanted, call)                                                               \
  do {                                                                                    \
    const cudaError_t check_result = (call);                                              \
    if (check_result != (wanted)) {                                                       \
      std::fprintf(stderr, "%s gave %s, wanted %s, line %d\n", #call,                     \
                   cudaGetErrorName(check_result), cudaGetErrorName(wanted), __LINE__);   \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (false)

__global__ void Square(unsigned* numbers, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = i * i;
}

// Takes pieces until one is refused; returns how many bytes that were, all given back.
template <typename Take, typename Give>
size_t Fill(size_t limit, Take take, Give give) {
  std::vector<void*> pieces;
  cudaError_t result = cudaSuccess;
  while (result == cudaSuccess && pieces.size() * kPiece <= limit) {
    void* piece = nullptr;
    result = take(&piece);
    if (result == cudaSuccess) pieces.push_back(piece);
  }
  CHECK(cudaErrorMemoryAllocation, result);
  (void)cudaGetLastError();  // a refusal is not to be seen by the calls after it
  for (void* piece : pieces) CHECK(cudaSuccess, give(piece));
  CHECK(cudaSuccess, cudaDeviceSynchronize());
  return pieces.size() * kPiece;
}

bool SquaresAreRight() {
  unsigned count = 1 << 20;
  unsigned* numbers = nullptr;
  CHECK(cudaSuccess, cudaMalloc(reinterpret_cast<void**>(&numbers), count * sizeof(unsigned)));
  void* parameters[] = {&numbers, &count};
  CHECK(cudaSuccess, cudaLaunchKernel(reinterpret_cast<const void*>(&Square), dim3(count / 256),
                                      dim3(256), parameters, 0, nullptr));
  std::vector<unsigned> back(count);
  CHECK(cudaSuccess,
        cudaMemcpy(back.data(), numbers, count * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaSuccess, cudaFree(numbers));
  for (unsigned i = 0; i < count; ++i) {
    if (back[i] != i * i) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const size_t limit = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
  size_t free_bytes = 0, total_bytes = 0;
  cudaDeviceProp properties{};
  CHECK(cudaSuccess, cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaSuccess, cudaMemGetInfo(&free_bytes, &total_bytes));
  const bool right = SquaresAreRight();
  const size_t plain = Fill(limit, [](void** piece) { return cudaMalloc(piece, kPiece); }, cudaFree);
  const size_t ordered = Fill(
      limit, [](void** piece) { return cudaMallocAsync(piece, kPiece, nullptr); },
      [](void* piece) { return cudaFreeAsync(piece, nullptr); });
  std::printf(
      "{\"limit\": %zu, \"total\": %zu, \"properties_total\": %zu, \"free\": %zu, \"plain\": %zu, "
      "\"ordered\": %zu, \"right\": %s}\n",
      limit, total_bytes, properties.totalGlobalMem, free_bytes, plain, ordered,
      right ? "true" : "false");
  const bool good = right && total_bytes == limit && properties.totalGlobalMem == limit &&
                    plain > limit / 2 && ordered > limit / 2;
  return good ? 0 : 1;
}
