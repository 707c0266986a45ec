// The handles the program holds (CUstream, CUevent, ...). A handle is the address of a slot in one
// reserved range; the slot names the object behind it. So any value a program passes can be checked
// without touching memory outside the range: a made-up, stale or wrong-kind handle gives nullptr,
// never a crash. Slots are reused oldest first, which keeps stale handles invalid for long.
#pragma once

#include <cstdint>

namespace simgpu::cuda {

enum class HandleKind : uint32_t {
  kFree,
  kContext,
  kGreenContext,
  kResourceDescriptor,
  kStream,
  kEvent,
  kModule,
  kLibrary,
  kKernel,
  kFunction,
  kLinker,
  kGraph,
  kGraphNode,
  kGraphExec,
  kUserObject,
  kArray,
  kMipmappedArray,
  kTextureReference,
  kSurfaceReference,
  kTexture,
  kSurface,
  kMemoryPool,
  kMemoryAllocation,
  kExternalMemory,
  kExternalSemaphore,
  kNotification,
  kCallback,
};

// Thread-safe, like all three. nullptr when four million handles are live.
void* NewHandle(HandleKind kind, void* object);
void FreeHandle(void* handle);

// The object behind a handle of that kind, or nullptr. The object stays valid until the program
// destroys it; a program that destroys it in another thread meanwhile is at fault, as with CUDA.
void* ObjectOf(HandleKind kind, const void* handle);

// How many handles of that kind are live; for tests.
uint64_t LiveHandles(HandleKind kind);

// Mixed into a class whose objects the program names by a CuHandle.
template <class Object, class CuHandle, HandleKind kKind>
class Handled {
 public:
  static Object* From(CuHandle handle) {
    return static_cast<Object*>(ObjectOf(kKind, reinterpret_cast<const void*>(handle)));
  }

  CuHandle handle() const { return reinterpret_cast<CuHandle>(slot_); }

  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;

 protected:
  Handled() : slot_(NewHandle(kKind, static_cast<Object*>(this))) {}
  ~Handled() { Retract(); }

  // From here on the program's handle is invalid, while the object may live on.
  void Retract() {
    if (slot_ != nullptr) FreeHandle(slot_);
    slot_ = nullptr;
  }

 private:
  void* slot_;
};

}  // namespace simgpu::cuda
