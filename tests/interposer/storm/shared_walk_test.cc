// Processes of a tenant that make memory, hand it to each other, let go of it and are killed, in an
// order that a seed makes. After each step what the tenant is charged is what somebody has.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "memory/virtual_memory_test.h"
#include "simgpu/cuda/ipc/api.h"

namespace warpshare::testing {
namespace {

constexpr int kSteps = 80;
constexpr size_t kWorkers = 4;
constexpr uint64_t kMostPieces = 8;

enum class Order : uint8_t { kMake, kExport, kImport, kRelease, kLook };

// Memory with an even number goes from one to another by a descriptor, odd by a handle that its
// maker gives (cuIpcGetMemHandle).
constexpr bool GoesByHandle(uint32_t memory) { return memory % 2 != 0; }

struct Word {
  Order order;
  uint32_t memory;  // the walk's number of it
  uint64_t pieces;
  CUipcMemHandle handle;
};
struct Answer {
  uint64_t on_card;
  CUipcMemHandle handle;
};

// What a process has, as it does what it is told.
class Holdings {
 public:
  Holdings(Tenant& tenant, int socket) : tenant_(tenant), socket_(socket) {}

  Answer Obey(const Word& word) {
    Answer answer{};
    GoesByHandle(word.memory) ? ObeyByHandle(word, answer) : ObeyByDescriptor(word);
    answer.on_card = tenant_.OnCard();
    return answer;
  }

 private:
  void ObeyByDescriptor(const Word& word) {
    const auto known = handles_.find(word.memory);
    if (word.order == Order::kMake) {
      handles_.emplace(word.memory, VirtualMemoryTest::Create(tenant_, word.pieces * kPiece));
    } else if (word.order == Order::kImport) {
      const int fd = ReceiveFd(socket_);
      handles_.emplace(word.memory, VirtualMemoryTest::Import(tenant_, fd));
      close(fd);
    } else if (word.order == Order::kExport) {
      const int fd = VirtualMemoryTest::Export(tenant_, known->second);
      SendFd(socket_, fd);
      close(fd);
    } else {
      VirtualMemoryTest::Release(tenant_, known->second);
      handles_.erase(known);
    }
  }
  void ObeyByHandle(const Word& word, Answer& answer) {
    const CudaLibrary& cuda = tenant_.cuda;
    CUdeviceptr pointer = 0;
    if (word.order == Order::kMake) {
      EXPECT_EQ(CALL(cuda, cuMemAlloc_v2)(&pointer, word.pieces * kPiece), CUDA_SUCCESS);
      EXPECT_EQ(CALL(cuda, cuIpcGetMemHandle)(&answer.handle, pointer), CUDA_SUCCESS);
      made_.emplace(word.memory, pointer);
    } else if (word.order == Order::kImport) {
      EXPECT_EQ(CALL(cuda, cuIpcOpenMemHandle_v2)(&pointer, word.handle,
                                                  CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
                CUDA_SUCCESS);
      opened_.emplace(word.memory, pointer);
    } else if (const auto made = made_.find(word.memory); made != made_.end()) {
      EXPECT_EQ(CALL(cuda, cuMemFree_v2)(made->second), CUDA_SUCCESS);
      made_.erase(made);
    } else {
      const auto opened = opened_.find(word.memory);
      EXPECT_EQ(CALL(cuda, cuIpcCloseMemHandle)(opened->second), CUDA_SUCCESS);
      opened_.erase(opened);
    }
  }

  Tenant& tenant_;
  const int socket_;
  std::multimap<uint32_t, Handle> handles_;
  std::map<uint32_t, CUdeviceptr> made_;
  std::multimap<uint32_t, CUdeviceptr> opened_;
};

class SharedWalkTest : public VirtualMemoryTest, public ::testing::WithParamInterface<unsigned> {
 protected:
  class Worker {
   public:
    explicit Worker(SharedWalkTest& test) {
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets_), 0);
      pid_ = test.StartBareTenant([this](Tenant& tenant) { Serve(tenant, sockets_[1]); });
      close(sockets_[1]);
    }
    ~Worker() {
      kill(pid_, SIGKILL);
      (void)AwaitChild(pid_);
      close(sockets_[0]);
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    Answer Do(const Word& word) const {
      Send(word);
      return Hear();
    }
    int Export(uint32_t memory) const {
      Send({.order = Order::kExport, .memory = memory, .pieces = 0, .handle = {}});
      const int fd = ReceiveFd(sockets_[0]);
      (void)Hear();
      return fd;
    }
    void Import(uint32_t memory, int fd) const {
      Send({.order = Order::kImport, .memory = memory, .pieces = 0, .handle = {}});
      SendFd(sockets_[0], fd);
      (void)Hear();
    }

    std::map<uint32_t, int> held;              // how often of which memory
    std::map<uint32_t, CUipcMemHandle> given;  // of its own, that it has not freed

   private:
    void Send(const Word& word) const {
      EXPECT_EQ(write(sockets_[0], &word, sizeof(word)), static_cast<ssize_t>(sizeof(word)));
    }
    Answer Hear() const {
      Answer answer{};
      EXPECT_EQ(read(sockets_[0], &answer, sizeof(answer)), static_cast<ssize_t>(sizeof(answer)));
      return answer;
    }
    static void Serve(Tenant& tenant, int socket) {
      tenant.MakeContext();
      Holdings holdings(tenant, socket);
      for (Word word{}; read(socket, &word, sizeof(word)) == static_cast<ssize_t>(sizeof(word));) {
        Answer answer{};
        if (word.order == Order::kLook) {
          TakeBackFromTheDead(tenant);
          answer.on_card = tenant.OnCard();
        } else {
          answer = holdings.Obey(word);
        }
        if (write(socket, &answer, sizeof(answer)) < 0 || HasFailure()) _exit(1);
      }
    }

    int sockets_[2] = {-1, -1};
    pid_t pid_ = 0;
  };

  void Make(Worker& worker) {
    const uint64_t pieces = 1 + random_() % kMostPieces;
    pieces_.push_back(pieces);
    const auto memory = static_cast<uint32_t>(pieces_.size() - 1);
    const Answer answer =
        worker.Do({.order = Order::kMake, .memory = memory, .pieces = pieces, .handle = {}});
    ++worker.held[memory];
    if (GoesByHandle(memory)) worker.given[memory] = answer.handle;
  }
  void HandOver(Worker& from, Worker& to) {
    if (from.held.empty()) return;
    const uint32_t memory = OneOf(from);
    if (GoesByHandle(memory)) return HandOverByHandle(from, to, memory);
    const int fd = from.Export(memory);
    to.Import(memory, fd);
    ++to.held[memory];
    close(fd);
  }
  // The driver opens none in the process that made it.
  void HandOverByHandle(const Worker& from, Worker& to, uint32_t memory) {
    const auto given = from.given.find(memory);
    if (given == from.given.end() || &from == &to) return;
    to.Do({.order = Order::kImport, .memory = memory, .pieces = 0, .handle = given->second});
    ++to.held[memory];
  }
  void LetGo(Worker& worker) {
    if (worker.held.empty()) return;
    const uint32_t memory = OneOf(worker);
    worker.Do({.order = Order::kRelease, .memory = memory, .pieces = 0, .handle = {}});
    worker.given.erase(memory);
    if (--worker.held[memory] == 0) worker.held.erase(memory);
  }
  uint32_t OneOf(const Worker& worker) {
    auto one = worker.held.begin();
    std::advance(one, static_cast<long>(random_() % worker.held.size()));
    return one->first;
  }
  void Step() {
    std::unique_ptr<Worker>& worker = workers_[random_() % kWorkers];
    Worker& other = *workers_[random_() % kWorkers];
    const unsigned choice = random_() % 10;
    if (choice < 2) return Make(*worker);
    if (choice < 6) return HandOver(*worker, other);
    if (choice < 9) return LetGo(*worker);
    worker.reset();  // before the next one starts
    worker = std::make_unique<Worker>(*this);
  }
  uint64_t SomebodyHas() const {
    uint64_t bytes = kWorkers * kMiB;  // contexts
    for (uint32_t memory = 0; memory < pieces_.size(); ++memory) {
      bool is_held = false;
      for (const auto& worker : workers_) is_held |= worker->held.contains(memory);
      if (is_held) bytes += pieces_[memory] * kPiece;
    }
    return bytes;
  }

  std::mt19937 random_{GetParam()};
  std::array<std::unique_ptr<Worker>, kWorkers> workers_;
  std::vector<uint64_t> pieces_;
};

TEST_P(SharedWalkTest, AfterEachStepWhatIsChargedIsWhatSomebodyHas) {
  for (auto& worker : workers_) worker = std::make_unique<Worker>(*this);
  for (int step = 0; step < kSteps && !HasFailure(); ++step) {
    Step();
    uint64_t on_card = 0;  // when all have their contexts
    for (const auto& worker : workers_)
      on_card = worker->Do({.order = Order::kLook, .memory = 0, .pieces = 0, .handle = {}}).on_card;
    EXPECT_EQ(on_card, SomebodyHas()) << "after step " << step;
    EXPECT_EQ(tenant_.UsedBytes(), on_card) << "after step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SharedWalkTest, ::testing::Range(0u, 25u));

}  // namespace
}  // namespace warpshare::testing
