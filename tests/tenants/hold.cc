// A driver-API program that takes memory on the first card and holds it, as told on standard input:
//
//   fill      as much as there is, in ever smaller pieces, down to the byte   filled BYTES
//   take N    N bytes in one piece                                            taken | refused
//   drop      what it took last                                               dropped BYTES
//   look      what the driver says                                            sees FREE of TOTAL
//   check     whether everything still holds what was written to it           intact | damaged
//
// It says "ready PID" when it begins and ends with its input. Any error of the driver's other than
// out-of-memory ends it with exit code 1.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "abi/driver/cuda_types.h"

namespace {

constexpr size_t kLargestPiece = size_t{1} << 30;
// At both ends of a piece, so that no gigabytes are written for the test of a kilobyte.
constexpr size_t kMarked = 4096;

struct Driver {
  CUresult (*init)(unsigned int);
  CUresult (*retain)(CUcontext*, CUdevice);
  CUresult (*make_current)(CUcontext);
  CUresult (*info)(size_t*, size_t*);
  CUresult (*allocate)(CUdeviceptr*, size_t);
  CUresult (*free)(CUdeviceptr);
  CUresult (*set)(CUdeviceptr, unsigned char, size_t);
  CUresult (*read)(void*, CUdeviceptr, size_t);
};

template <typename Function>
void Bind(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function != nullptr) return;
  std::fprintf(stderr, "hold: the driver has no %s\n", symbol);
  std::exit(1);
}

Driver LoadDriver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    std::fprintf(stderr, "hold: %s\n", dlerror());
    std::exit(1);
  }
  Driver driver;
  Bind(library, "cuInit", driver.init);
  Bind(library, "cuDevicePrimaryCtxRetain", driver.retain);
  Bind(library, "cuCtxSetCurrent", driver.make_current);
  Bind(library, "cuMemGetInfo_v2", driver.info);
  Bind(library, "cuMemAlloc_v2", driver.allocate);
  Bind(library, "cuMemFree_v2", driver.free);
  Bind(library, "cuMemsetD8_v2", driver.set);
  Bind(library, "cuMemcpyDtoH_v2", driver.read);
  return driver;
}

void Require(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "hold: %s: error %d\n", what, static_cast<int>(result));
  std::exit(1);
}

struct Piece {
  CUdeviceptr address;
  size_t size;
};

class Holder {
 public:
  Holder() : driver_(LoadDriver()), mark_(static_cast<uint8_t>(getpid())) {
    Require(driver_.init(0), "cuInit");
    CUcontext context = nullptr;
    Require(driver_.retain(&context, 0), "cuDevicePrimaryCtxRetain");
    Require(driver_.make_current(context), "cuCtxSetCurrent");
  }

  bool Take(size_t size) {
    Piece piece{.address = 0, .size = size};
    const CUresult result = driver_.allocate(&piece.address, size);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) return false;
    Require(result, "cuMemAlloc");
    for (const Piece& end : Ends(piece))
      Require(driver_.set(end.address, mark_, end.size), "cuMemsetD8");
    pieces_.push_back(piece);
    return true;
  }

  size_t Fill() {
    size_t filled = 0;
    for (size_t size = kLargestPiece; size > 0; size /= 2)
      while (Take(size)) filled += size;
    return filled;
  }

  size_t Drop() {
    if (pieces_.empty()) return 0;
    const Piece piece = pieces_.back();
    pieces_.pop_back();
    Require(driver_.free(piece.address), "cuMemFree");
    return piece.size;
  }

  bool IsIntact() const {
    for (const Piece& piece : pieces_)
      for (const Piece& end : Ends(piece)) {
        std::vector<uint8_t> bytes(end.size);
        Require(driver_.read(bytes.data(), end.address, end.size), "cuMemcpyDtoH");
        for (const uint8_t byte : bytes)
          if (byte != mark_) return false;
      }
    return true;
  }

  std::string Look() const {
    size_t free = 0;
    size_t total = 0;
    Require(driver_.info(&free, &total), "cuMemGetInfo");
    return std::to_string(free) + " of " + std::to_string(total);
  }

 private:
  static std::vector<Piece> Ends(const Piece& piece) {
    const size_t size = piece.size < kMarked ? piece.size : kMarked;
    return {{piece.address, size}, {piece.address + piece.size - size, size}};
  }

  Driver driver_;
  uint8_t mark_;
  std::vector<Piece> pieces_;
};

std::string Do(Holder& holder, const std::string& word) {
  if (word == "fill") return "filled " + std::to_string(holder.Fill());
  if (word == "drop") return "dropped " + std::to_string(holder.Drop());
  if (word == "look") return "sees " + holder.Look();
  if (word == "check") return holder.IsIntact() ? "intact" : "damaged";
  if (word != "take") return "unknown " + word;
  size_t size = 0;
  std::cin >> size;
  return holder.Take(size) ? "taken" : "refused";
}

}  // namespace

int main() {
  Holder holder;
  std::cout << "ready " << getpid() << std::endl;
  for (std::string word; std::cin >> word;) std::cout << Do(holder, word) << std::endl;
}
