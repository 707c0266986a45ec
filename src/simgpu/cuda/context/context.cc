#include "simgpu/cuda/context/context.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/pool/release.h"
#include "simgpu/cuda/stream/host_thread.h"
#include "simgpu/cuda/stream/stream.h"
#include "simgpu/cuda/stream/stream_queue.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

uint64_t NextId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

// The calling thread's default streams, by the id of their context. They go with the thread.
struct ThreadStreams {
  std::unordered_map<uint64_t, std::weak_ptr<Stream>> by_context;

  ~ThreadStreams() {
    if (Ready() != CUDA_SUCCESS) return;  // a forked child has no say in its parent's streams
    for (const auto& [id, known] : by_context) {
      if (const std::shared_ptr<Stream> stream = known.lock()) stream->Destroy();
    }
  }
};

ThreadStreams& OfThisThread() {
  thread_local ThreadStreams streams;
  return streams;
}

}  // namespace

CUresult Context::Create(const ContextSpec& spec, std::shared_ptr<Context>* context) {
  auto made = std::make_shared<Context>(spec);
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  SIMGPU_TRY(made->Activate());
  made->self_ = made;
  *context = std::move(made);
  return CUDA_SUCCESS;
}

Context::Context(const ContextSpec& spec)
    : spec_(spec),
      id_(NextId()),
      queue_group_(std::make_shared<QueueGroup>()),
      flags_(spec.flags) {}

Context::~Context() { Deactivate(); }

// A green context shares the memory of the primary context it is cut from.
uint64_t Context::MemoryCost() const {
  return spec_.kind == ContextKind::kGreen ? 0 : SpecOf(spec_.card).context_bytes;
}

CUresult Context::Activate() {
  if (live()) return CUDA_SUCCESS;
  world::Memory& memory = world::World::Instance().memory();
  SIMGPU_REQUIRE(memory.Charge(spec_.card, world::MemoryKind::kContext, MemoryCost()),
                 CUDA_ERROR_OUT_OF_MEMORY);
  live_.store(true, std::memory_order_release);
  return CUDA_SUCCESS;
}

void Context::Deactivate() {
  if (!live()) return;
  Synchronize();
  live_.store(false, std::memory_order_release);
  Fail(CUDA_SUCCESS);
  RunCleanups();
  if (spec_.kind == ContextKind::kPrimary) TrimPoolsOf(spec_.card);
  std::map<const Stream*, std::shared_ptr<Stream>> streams;
  std::vector<std::shared_ptr<Stream>> leaving;
  {
    const std::lock_guard lock(mutex_);
    streams.swap(streams_);
    leaving.swap(leaving_);
    peers_.clear();
    legacy_stream_.store(nullptr, std::memory_order_release);
  }
  for (const auto& [key, stream] : streams) stream->Destroy();
  world::World::Instance().memory().Uncharge(spec_.card, world::MemoryKind::kContext, MemoryCost());
}

void Context::Destroy() {
  const std::shared_ptr<Context> keep = shared_from_this();
  Deactivate();
  Retract();
  const std::lock_guard lock(mutex_);
  self_.reset();
}

std::shared_ptr<Stream> Context::NewStream(const StreamSpec& spec) {
  auto stream = std::make_shared<Stream>(shared_from_this(), spec);
  const std::lock_guard lock(mutex_);
  streams_[stream.get()] = stream;
  return stream;
}

Stream& Context::LegacyStream() {
  Stream* known = legacy_stream_.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  const std::lock_guard lock(mutex_);
  known = legacy_stream_.load(std::memory_order_relaxed);
  if (known != nullptr) return *known;
  auto stream = std::make_shared<Stream>(shared_from_this(), StreamSpec{StreamRole::kLegacy, 0, 0});
  known = stream.get();
  streams_[known] = std::move(stream);
  legacy_stream_.store(known, std::memory_order_release);
  return *known;
}

Stream& Context::ThreadStream() {
  std::weak_ptr<Stream>& known = OfThisThread().by_context[id_];
  if (const std::shared_ptr<Stream> stream = known.lock()) return *stream;
  const std::shared_ptr<Stream> stream = NewStream({StreamRole::kBlocking, 0, 0});
  known = stream;
  return *stream;
}

std::vector<std::shared_ptr<Stream>> Context::Streams() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Stream>> streams;
  for (const auto& [key, stream] : streams_) streams.push_back(stream);
  return streams;
}

void Context::Leave(const Stream& stream) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(&stream);
    if (found == streams_.end()) return;
    leaving_.push_back(std::move(found->second));
    streams_.erase(found);
  }
  DropIdle();
}

void Context::DropIdle() {
  std::vector<std::shared_ptr<Stream>> idle;  // are destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    idle = leaving_;
  }
  std::erase_if(idle, [](const auto& stream) { return stream->Query() != CUDA_SUCCESS; });
  const std::lock_guard lock(mutex_);
  std::erase_if(leaving_, [&idle](const auto& stream) {
    return std::find(idle.begin(), idle.end(), stream) != idle.end();
  });
}

std::vector<std::shared_ptr<Completion>> Context::Marks() const {
  std::vector<std::shared_ptr<Stream>> streams;
  {
    const std::lock_guard lock(mutex_);
    streams = leaving_;
    for (const auto& [key, stream] : streams_) streams.push_back(stream);
  }
  std::vector<std::shared_ptr<Completion>> marks;
  for (const std::shared_ptr<Stream>& stream : streams) marks.push_back(stream->Mark());
  return marks;
}

CUresult Context::Synchronize() {
  SIMGPU_REQUIRE(!InHostFunction(), CUDA_ERROR_NOT_PERMITTED);
  for (const std::shared_ptr<Completion>& mark : Marks()) mark->Wait();
  return failure();
}

uint64_t Context::AtDeactivation(std::function<void()> cleanup) {
  const std::lock_guard lock(mutex_);
  cleanups_.emplace(next_cleanup_, std::move(cleanup));
  return next_cleanup_++;
}

void Context::CancelCleanup(uint64_t key) {
  std::function<void()> cancelled;  // is destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto found = cleanups_.find(key);
  if (found == cleanups_.end()) return;
  cancelled = std::move(found->second);
  cleanups_.erase(found);
}

// A cleanup may cancel others.
void Context::RunCleanups() {
  while (true) {
    std::function<void()> cleanup;
    {
      const std::lock_guard lock(mutex_);
      if (cleanups_.empty()) return;
      const auto last = std::prev(cleanups_.end());
      cleanup = std::move(last->second);
      cleanups_.erase(last);
    }
    cleanup();
  }
}

CUresult Context::EnablePeer(const Context& peer) {
  SIMGPU_REQUIRE(&peer != this, CUDA_ERROR_INVALID_CONTEXT);
  SIMGPU_REQUIRE(peer.card() != card(), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  const std::lock_guard lock(mutex_);
  return peers_.insert(peer.id()).second ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

CUresult Context::DisablePeer(const Context& peer) {
  SIMGPU_REQUIRE(&peer != this, CUDA_ERROR_INVALID_CONTEXT);
  const std::lock_guard lock(mutex_);
  return peers_.erase(peer.id()) == 1 ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

bool Context::ReachesPeer(const Context& peer) const {
  const std::lock_guard lock(mutex_);
  return peers_.contains(peer.id());
}

}  // namespace simgpu::cuda
