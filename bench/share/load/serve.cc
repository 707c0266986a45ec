// A server whose threads each answer one request after the other, as most are written: the input
// goes to the card, some kernels run in the thread's stream, the answer comes back. The memory is
// not pinned, so that both calls return when their copy is over.
#include <vector>

#include "bench/share/load/loads.h"

namespace warpshare::load {

namespace {

class Server {
 public:
  explicit Server(const Run& run)
      : run_(run),
        words_(run.options.copy_bytes),
        memory_(run.card.NewMemory(run.options.copy_bytes)) {}

  double Answer(CUstream stream) {
    const Driver& driver = run_.card.driver();
    Check(driver.MemcpyHtoD(memory_, words_.data(), words_.size()), "cuMemcpyHtoD");
    double launched = 0;
    for (uint32_t i = 0; i < run_.options.depth; ++i) launched += run_.card.Launch(stream);
    Check(driver.MemcpyDtoHAsync(words_.data(), memory_, words_.size(), stream),
          "cuMemcpyDtoHAsync");
    run_.card.Synchronize(stream);
    return launched;
  }

 private:
  const Run& run_;
  std::vector<char> words_;
  CUdeviceptr memory_;
};

}  // namespace

// Progress is told by one of them for all, which get on as fast.
void ServeRequests(const Run& run) {
  const size_t count = run.card.stream_count();
  const auto serve = [&run, count](size_t thread) {
    Server server(run);
    for (;;) {
      const double launched = server.Answer(run.card.stream(thread));
      if (thread == 0) run.progress.Add(static_cast<double>(count) * launched);
    }
  };
  InThreads(run, count, serve);
}

}  // namespace warpshare::load
