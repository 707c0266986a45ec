// The JIT linker. What comes out is an image that loads like any other, with the kernels and
// variables of all inputs.
#include <memory>
#include <string>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/image/image.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/module/image_file.h"
#include "simgpu/cuda/module/jit_options.h"

namespace simgpu::cuda {
namespace {

class Linker : public Handled<Linker, CUlinkState, HandleKind::kLinker> {
 public:
  void Add(std::string_view image) {
    ImageContents contents = ContentsOf(image);
    contents_.kernels.merge(contents.kernels);
    for (auto& [name, variable] : contents.variables) {
      Variable& known = contents_.variables[name];  // one that is only declared has no value
      if (known.value.empty()) known = std::move(variable);
    }
    ++inputs_;
  }

  bool empty() const { return inputs_ == 0; }

  // Valid as long as the linker.
  const std::string& Complete() {
    image_ = ".version 8.0\n.target sm_80\n.address_size 64\n";
    for (const std::string& kernel : contents_.kernels)
      image_ += ".visible .entry " + kernel + "() { ret; }\n";
    for (const auto& [name, variable] : contents_.variables) Declare(name, variable);
    return image_;
  }

 private:
  void Declare(const std::string& name, const Variable& variable) {
    image_ += ".visible .global .b8 " + name + "[" + std::to_string(variable.bytes) + "]";
    const char* separator = " = {";
    for (const std::byte byte : variable.value) {
      image_ += separator + std::to_string(std::to_integer<int>(byte));
      separator = ",";
    }
    image_ += variable.value.empty() ? ";\n" : "};\n";
  }

  ImageContents contents_;
  int inputs_ = 0;
  std::string image_;
};

CUresult Find(CUlinkState handle, Linker** linker) {
  SIMGPU_TRY(Ready());
  *linker = Linker::From(handle);
  SIMGPU_REQUIRE(*linker != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return CUDA_SUCCESS;
}

bool IsInput(CUjitInputType type) { return type >= 0 && type < CU_JIT_NUM_INPUT_TYPES; }

}  // namespace
}  // namespace simgpu::cuda

using simgpu::cuda::Find;
using simgpu::cuda::IsInput;
using simgpu::cuda::Linker;

CUresult cuLinkCreate_v2(unsigned num_options, CUjit_option* options, void** option_values,
                         CUlinkState* state_out) {
  simgpu::cuda::Context* context = nullptr;
  SIMGPU_TRY(simgpu::cuda::CurrentContext(&context));
  SIMGPU_REQUIRE(state_out != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(simgpu::cuda::AnswerJitOptions(num_options, options, option_values));
  auto linker = std::make_unique<Linker>();
  SIMGPU_REQUIRE(linker->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  *state_out = linker.release()->handle();  // the program's, until cuLinkDestroy
  return CUDA_SUCCESS;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t size,
                          const char* name, unsigned num_options, CUjit_option* options,
                          void** option_values) {
  (void)name;
  Linker* linker = nullptr;
  SIMGPU_TRY(Find(state, &linker));
  SIMGPU_REQUIRE(IsInput(type) && data != nullptr && size > 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(simgpu::cuda::AnswerJitOptions(num_options, options, option_values));
  linker->Add({static_cast<const char*>(data), size});
  return CUDA_SUCCESS;
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path,
                          unsigned num_options, CUjit_option* options, void** option_values) {
  Linker* linker = nullptr;
  SIMGPU_TRY(Find(state, &linker));
  SIMGPU_REQUIRE(IsInput(type), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(simgpu::cuda::AnswerJitOptions(num_options, options, option_values));
  std::string image;
  SIMGPU_TRY(simgpu::cuda::ReadImage(path, &image));
  linker->Add(image);
  return CUDA_SUCCESS;
}

CUresult cuLinkComplete(CUlinkState state, void** cubin_out, size_t* size_out) {
  Linker* linker = nullptr;
  SIMGPU_TRY(Find(state, &linker));
  SIMGPU_REQUIRE(cubin_out != nullptr && !linker->empty(), CUDA_ERROR_INVALID_VALUE);
  const std::string& image = linker->Complete();
  *cubin_out = const_cast<char*>(image.c_str());
  if (size_out != nullptr) *size_out = image.size() + 1;
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) {
  Linker* linker = nullptr;
  SIMGPU_TRY(Find(state, &linker));
  delete linker;
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate(unsigned num_options, CUjit_option* options, void** option_values,
                      CUlinkState* state_out) {
  return cuLinkCreate_v2(num_options, options, option_values, state_out);
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size,
                       const char* name, unsigned num_options, CUjit_option* options,
                       void** option_values) {
  return cuLinkAddData_v2(state, type, data, size, name, num_options, options, option_values);
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path,
                       unsigned num_options, CUjit_option* options, void** option_values) {
  return cuLinkAddFile_v2(state, type, path, num_options, options, option_values);
}
