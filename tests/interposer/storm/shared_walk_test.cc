// Processes of a tenant that make memory, hand it to each other, let go of it and are killed, in an
// order that a seed makes. After each step what the tenant is charged is what somebody has.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "memory/virtual_memory_test.h"

namespace warpshare::testing {
namespace {

constexpr int kSteps = 80;
constexpr size_t kWorkers = 4;
constexpr uint64_t kMostPieces = 8;

enum class Order : uint8_t { kMake, kExport, kImport, kRelease, kLook };

struct Word {
  Order order;
  uint32_t memory;  // the walk's number of it
  uint64_t pieces;
};

class SharedWalkTest : public VirtualMemoryTest, public ::testing::WithParamInterface<unsigned> {
 protected:
  // A process that does what it is told and answers with what is on the card.
  class Worker {
   public:
    explicit Worker(SharedWalkTest& test) {
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets_), 0);
      pid_ = test.StartBareTenant([this](Tenant& tenant) { Serve(tenant, sockets_[1]); });
      close(sockets_[1]);
    }
    ~Worker() { Kill(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    uint64_t Do(const Word& word) const {
      Send(word);
      return Answer();
    }
    int Export(uint32_t memory) const {
      Send({.order = Order::kExport, .memory = memory, .pieces = 0});
      const int fd = ReceiveFd(sockets_[0]);
      (void)Answer();
      return fd;
    }
    void Import(uint32_t memory, int fd) const {
      Send({.order = Order::kImport, .memory = memory, .pieces = 0});
      SendFd(sockets_[0], fd);
      (void)Answer();
    }

    std::map<uint32_t, int> held;  // how many handles of which memory

   private:
    void Send(const Word& word) const {
      EXPECT_EQ(write(sockets_[0], &word, sizeof(word)), static_cast<ssize_t>(sizeof(word)));
    }
    uint64_t Answer() const {
      uint64_t answer = 0;
      EXPECT_EQ(read(sockets_[0], &answer, sizeof(answer)), static_cast<ssize_t>(sizeof(answer)));
      return answer;
    }
    void Kill() {
      kill(pid_, SIGKILL);
      (void)AwaitChild(pid_);
      close(sockets_[0]);
    }
    static void Serve(Tenant& tenant, int socket) {
      std::multimap<uint32_t, Handle> handles;
      tenant.MakeContext();
      for (Word word{}; read(socket, &word, sizeof(word)) == static_cast<ssize_t>(sizeof(word));) {
        Obey(tenant, word, socket, handles);
        const uint64_t answer = tenant.OnCard();
        if (write(socket, &answer, sizeof(answer)) < 0 || HasFailure()) _exit(1);
      }
    }
    static void Obey(Tenant& tenant, const Word& word, int socket,
                     std::multimap<uint32_t, Handle>& handles) {
      const auto known = handles.find(word.memory);
      if (word.order == Order::kLook) return TakeBackFromTheDead(tenant);
      if (word.order == Order::kMake) {
        handles.emplace(word.memory, Create(tenant, word.pieces * kPiece));
      } else if (word.order == Order::kImport) {
        const int fd = ReceiveFd(socket);
        handles.emplace(word.memory, VirtualMemoryTest::Import(tenant, fd));
        close(fd);
      } else if (word.order == Order::kExport) {
        const int fd = VirtualMemoryTest::Export(tenant, known->second);
        SendFd(socket, fd);
        close(fd);
      } else {
        Release(tenant, known->second);
        handles.erase(known);
      }
    }

    int sockets_[2] = {-1, -1};
    pid_t pid_ = 0;
  };

  void Make(Worker& worker) {
    const uint64_t pieces = 1 + random_() % kMostPieces;
    pieces_.push_back(pieces);
    const auto memory = static_cast<uint32_t>(pieces_.size() - 1);
    worker.Do({.order = Order::kMake, .memory = memory, .pieces = pieces});
    ++worker.held[memory];
  }
  void HandOver(Worker& from, Worker& to) {
    if (from.held.empty()) return;
    const uint32_t memory = OneOf(from);
    const int fd = from.Export(memory);
    to.Import(memory, fd);
    ++to.held[memory];
    close(fd);
  }
  void LetGo(Worker& worker) {
    if (worker.held.empty()) return;
    const uint32_t memory = OneOf(worker);
    worker.Do({.order = Order::kRelease, .memory = memory, .pieces = 0});
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
    worker.reset();  // before the next one starts, so that both have their slots
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
      on_card = worker->Do({.order = Order::kLook, .memory = 0, .pieces = 0});
    EXPECT_EQ(on_card, SomebodyHas()) << "after step " << step;
    EXPECT_EQ(tenant_.UsedBytes(), on_card) << "after step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SharedWalkTest, ::testing::Range(0u, 25u));

}  // namespace
}  // namespace warpshare::testing
