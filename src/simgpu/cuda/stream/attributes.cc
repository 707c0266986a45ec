// Attributes of streams: kept and reported; the simulated card does nothing by them. Priority is
// fixed when a stream is made.
#include <mutex>

#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/stream/stream.h"

using simgpu::cuda::DefaultStream;
using simgpu::cuda::Stream;
using simgpu::cuda::StreamAttributes;

namespace {

std::mutex& AttributeMutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}

bool IsSettable(CUstreamAttrID attribute) {
  return attribute == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
         attribute == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY ||
         attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP ||
         attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
}

// What a stream reports before anything was set.
CUstreamAttrValue DefaultValue(CUstreamAttrID attribute) {
  CUstreamAttrValue value{};
  if (attribute == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) {
    value.syncPolicy = CU_SYNC_POLICY_AUTO;
  }
  if (attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP) value.memSyncDomainMap = {0, 1};
  return value;
}

CUresult Get(CUstream handle, DefaultStream mode, CUstreamAttrID attribute,
             CUstreamAttrValue* value) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  SIMGPU_REQUIRE(value != nullptr, CUDA_ERROR_INVALID_VALUE);
  if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
    *value = {};
    value->priority = stream->spec().priority;
    return CUDA_SUCCESS;
  }
  SIMGPU_REQUIRE(IsSettable(attribute), CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(AttributeMutex());
  const auto found = stream->attributes().find(attribute);
  *value = found == stream->attributes().end() ? DefaultValue(attribute) : found->second;
  return CUDA_SUCCESS;
}

CUresult Set(CUstream handle, DefaultStream mode, CUstreamAttrID attribute,
             const CUstreamAttrValue* value) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  SIMGPU_REQUIRE(value != nullptr && IsSettable(attribute), CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(AttributeMutex());
  stream->attributes()[attribute] = *value;
  return CUDA_SUCCESS;
}

CUresult Copy(CUstream to, CUstream from, DefaultStream mode) {
  Stream* target = nullptr;
  Stream* source = nullptr;
  SIMGPU_TRY(Stream::Resolve(to, mode, &target));
  SIMGPU_TRY(Stream::Resolve(from, mode, &source));
  SIMGPU_REQUIRE(&target->context() == &source->context(), CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(AttributeMutex());
  target->attributes() = source->attributes();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attr, CUstreamAttrValue* value) {
  return Get(stream, DefaultStream::kLegacy, attr, value);
}
CUresult cuStreamGetAttribute_ptsz(CUstream stream, CUstreamAttrID attr, CUstreamAttrValue* value) {
  return Get(stream, DefaultStream::kPerThread, attr, value);
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attr,
                              const CUstreamAttrValue* param) {
  return Set(stream, DefaultStream::kLegacy, attr, param);
}
CUresult cuStreamSetAttribute_ptsz(CUstream stream, CUstreamAttrID attr,
                                   const CUstreamAttrValue* value) {
  return Set(stream, DefaultStream::kPerThread, attr, value);
}

CUresult cuStreamCopyAttributes(CUstream dst_stream, CUstream src_stream) {
  return Copy(dst_stream, src_stream, DefaultStream::kLegacy);
}
CUresult cuStreamCopyAttributes_ptsz(CUstream dst, CUstream src) {
  return Copy(dst, src, DefaultStream::kPerThread);
}
