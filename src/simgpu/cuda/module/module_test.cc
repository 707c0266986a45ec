#include <elf.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

constexpr size_t kModuleBytes = size_t{2} << 20;
constexpr char kPtx[] = ".version 8.0\n.target sm_80\n.entry one() {}\n.entry two() {}\n";

class ModuleTest : public simgpu::testing::ContextTest {
 protected:
  static CUlibrary LoadLibrary() {
    CUlibrary library = nullptr;
    EXPECT_EQ(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0),
              CUDA_SUCCESS);
    return library;
  }
};

TEST_F(ModuleTest, AnyImageLoadsAndCostsMemory) {
  const size_t free = Free();
  CUmodule module = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, "no image at all"), CUDA_SUCCESS);
  EXPECT_EQ(Free(), free - kModuleBytes);
  ASSERT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(Free(), free);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, AnyKernelIsFoundAndNamed) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUfunction again = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, kPtx), CUDA_SUCCESS);
  unsigned count = 0;
  ASSERT_EQ(cuModuleGetFunctionCount(&count, module), CUDA_SUCCESS);
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "not_in_it"), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&again, module, "not_in_it"), CUDA_SUCCESS);
  EXPECT_EQ(function, again);
  const char* name = nullptr;
  ASSERT_EQ(cuFuncGetName(&name, function), CUDA_SUCCESS);
  EXPECT_STREQ(name, "not_in_it");
  CUmodule owner = nullptr;
  ASSERT_EQ(cuFuncGetModule(&owner, function), CUDA_SUCCESS);
  EXPECT_EQ(owner, module);
  EXPECT_EQ(cuModuleGetFunction(&function, module, ""), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuFuncGetName(&name, function), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ModuleTest, VariablesAreMemoryOfTheModule) {
  CUmodule module = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, "image"), CUDA_SUCCESS);
  const size_t free = Free();
  CUdeviceptr first = 0;
  CUdeviceptr second = 0;
  size_t bytes = 0;
  ASSERT_EQ(cuModuleGetGlobal_v2(&first, &bytes, module, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, size_t{64} << 10);
  ASSERT_EQ(cuModuleGetGlobal_v2(&second, nullptr, module, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(first, second);
  EXPECT_EQ(Free(), free);
  EXPECT_EQ(*reinterpret_cast<int*>(first), 0);
  *reinterpret_cast<int*>(first) = 7;
  CUdeviceptr base = 0;
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &bytes, first + 100), CUDA_SUCCESS);
  EXPECT_EQ(base, first);
  EXPECT_EQ(cuMemFree_v2(first), CUDA_ERROR_INVALID_VALUE);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(cuModuleGetGlobal_v2(&second, nullptr, module, std::to_string(i).c_str()),
              CUDA_SUCCESS);
  }
  ASSERT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_NE(cuMemGetAddressRange_v2(&base, &bytes, first), CUDA_SUCCESS);
}

// A cubin with the variables `counter`, 8 bytes that begin as 42, and `table`, 1 MiB of zeros.
struct CubinWithVariables {
  CubinWithVariables() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_machine = 190;
    header.e_shoff = offsetof(CubinWithVariables, sections);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 5;
    header.e_shstrndx = 1;
    SetSection(1, SHT_STRTAB, offsetof(CubinWithVariables, names), sizeof(names));
    SetSection(2, SHT_PROGBITS, offsetof(CubinWithVariables, value), sizeof(value));
    SetSection(3, SHT_NOBITS, 0, size_t{1} << 20);
    SetSection(4, SHT_SYMTAB, offsetof(CubinWithVariables, symbols), sizeof(symbols));
    sections[4].sh_link = 1;
    SetVariable(0, 1, 2, sizeof(value));
    SetVariable(1, 9, 3, size_t{1} << 20);
  }

  void SetSection(int index, uint32_t type, size_t offset, size_t bytes) {
    sections[index].sh_type = type;
    sections[index].sh_offset = offset;
    sections[index].sh_size = bytes;
  }
  void SetVariable(int index, uint32_t name, uint16_t section, size_t bytes) {
    symbols[index].st_name = name;
    symbols[index].st_info = STT_OBJECT;
    symbols[index].st_shndx = section;
    symbols[index].st_size = bytes;
  }

  Elf64_Ehdr header = {};
  Elf64_Shdr sections[5] = {};
  Elf64_Sym symbols[2] = {};
  uint64_t value = 42;
  char names[16] = "\0counter\0table";
};

TEST_F(ModuleTest, VariablesAreAsTheCubinHasThem) {
  const CubinWithVariables cubin;
  CUmodule module = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, &cubin), CUDA_SUCCESS);
  CUlibrary library = nullptr;
  ASSERT_EQ(cuLibraryLoadData(&library, &cubin, nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_SUCCESS);
  CUdeviceptr pointer = 0;
  size_t bytes = 0;
  ASSERT_EQ(cuModuleGetGlobal_v2(&pointer, &bytes, module, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(*reinterpret_cast<uint64_t*>(pointer), 42u);
  EXPECT_EQ(cuMemsetD8_v2(pointer, 1, 9), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuLibraryGetGlobal(&pointer, &bytes, library, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 8u);
  ASSERT_EQ(cuModuleGetGlobal_v2(&pointer, &bytes, module, "table"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, size_t{1} << 20);
  EXPECT_EQ(cuMemsetD8_v2(pointer, 1, bytes), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetGlobal_v2(&pointer, &bytes, module, "unheard_of"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, size_t{64} << 10);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
}

TEST_F(ModuleTest, VariablesAreAsThePtxHasThem) {
  CUmodule module = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, ".version 8.0\n.const .align 4 .u32 table[3] = {5, 6, 7};\n"),
            CUDA_SUCCESS);
  CUdeviceptr pointer = 0;
  size_t bytes = 0;
  ASSERT_EQ(cuModuleGetGlobal_v2(&pointer, &bytes, module, "table"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 12u);
  EXPECT_EQ(reinterpret_cast<uint32_t*>(pointer)[2], 7u);
}

TEST_F(ModuleTest, LibrariesGiveKernelsAndFunctions) {
  const CUlibrary library = LoadLibrary();
  unsigned count = 0;
  ASSERT_EQ(cuLibraryGetKernelCount(&count, library), CUDA_SUCCESS);
  EXPECT_EQ(count, 2u);
  CUkernel kernels[2];
  ASSERT_EQ(cuLibraryEnumerateKernels(kernels, 2, library), CUDA_SUCCESS);
  CUkernel kernel = nullptr;
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "one"), CUDA_SUCCESS);
  EXPECT_EQ(kernel, kernels[0]);
  CUfunction function = nullptr;
  ASSERT_EQ(cuKernelGetFunction(&function, kernel), CUDA_SUCCESS);
  CUmodule module = nullptr;
  CUfunction same = nullptr;
  ASSERT_EQ(cuLibraryGetModule(&module, library), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&same, module, "one"), CUDA_SUCCESS);
  EXPECT_EQ(function, same);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  ASSERT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
  EXPECT_EQ(cuKernelGetFunction(&function, kernel), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ModuleTest, LibrariesCostMemoryInEachContextThatUsesThem) {
  const size_t free = Free();
  const CUlibrary library = LoadLibrary();
  EXPECT_EQ(Free(), free - kModuleBytes);
  CUcontext other = nullptr;
  ASSERT_EQ(cuCtxCreate_v2(&other, 0, 1), CUDA_SUCCESS);
  const size_t other_free = Free();
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "one"), CUDA_SUCCESS);
  EXPECT_EQ(Free(), other_free);
  ASSERT_EQ(cuKernelGetFunction(&function, kernel), CUDA_SUCCESS);
  EXPECT_EQ(Free(), other_free - kModuleBytes);
  ASSERT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
  EXPECT_EQ(Free(), other_free);
  ASSERT_EQ(cuCtxDestroy_v2(other), CUDA_SUCCESS);
  EXPECT_EQ(Free(), free);
}

TEST_F(ModuleTest, AttributesOfKernelsReachTheirFunctions) {
  const CUlibrary library = LoadLibrary();
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "one"), CUDA_SUCCESS);
  ASSERT_EQ(cuKernelGetFunction(&function, kernel), CUDA_SUCCESS);
  int value = 0;
  ASSERT_EQ(
      cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100'000, kernel, 0),
      CUDA_SUCCESS);
  ASSERT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function),
            CUDA_SUCCESS);
  EXPECT_EQ(value, 100'000);
  ASSERT_EQ(
      cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel, 1),
      CUDA_SUCCESS);
  EXPECT_EQ(value, 48 * 1024);
  EXPECT_EQ(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, kernel, 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
}

TEST_F(ModuleTest, FilesAreReadOrSaidToBeMissing) {
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoad(&module, "/no/such/image"), CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(cuModuleLoad(&module, "/"), CUDA_ERROR_INVALID_IMAGE);
  char path[] = "/tmp/simgpu-image-XXXXXX";
  const int file = mkstemp(path);
  ASSERT_GE(file, 0);
  EXPECT_EQ(cuModuleLoad(&module, path), CUDA_ERROR_INVALID_IMAGE);
  ASSERT_EQ(write(file, kPtx, sizeof(kPtx)), static_cast<ssize_t>(sizeof(kPtx)));
  close(file);
  EXPECT_EQ(cuModuleLoad(&module, path), CUDA_SUCCESS);
  unlink(path);
}

// Its header says that there is a GiB of it.
TEST_F(ModuleTest, ACutFileIsReadNoFurtherThanItGoes) {
  constexpr char kFatBinary[] = "\x50\xed\x55\xba\x01\0\x10\0\0\0\0\x40\0\0\0";
  char path[] = "/tmp/simgpu-image-XXXXXX";
  const int file = mkstemp(path);
  ASSERT_GE(file, 0);
  ASSERT_EQ(write(file, kFatBinary, sizeof(kFatBinary)), 16);
  close(file);
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoad(&module, path), CUDA_SUCCESS);
  CUlibrary library = nullptr;
  EXPECT_EQ(cuLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_SUCCESS);
  unlink(path);
}

TEST_F(ModuleTest, JitLogsStayEmpty) {
  char log[16] = "left over";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log))};
  CUmodule module = nullptr;
  ASSERT_EQ(cuModuleLoadDataEx(&module, kPtx, 2, options, values), CUDA_SUCCESS);
  EXPECT_STREQ(log, "");
  EXPECT_EQ(values[1], nullptr);
  options[0] = CU_JIT_NUM_OPTIONS;
  EXPECT_EQ(cuModuleLoadDataEx(&module, kPtx, 1, options, values), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, LinkedImagesHaveTheVariablesOfAllInputs) {
  CUlinkState linker = nullptr;
  ASSERT_EQ(cuLinkCreate_v2(0, nullptr, nullptr, &linker), CUDA_SUCCESS);
  std::string first = ".version 8.0\n.extern .global .u32 shared;\n.global .f64 own;\n";
  std::string second = ".version 8.0\n.visible .global .u32 shared = 0x1234;\n";
  for (std::string* ptx : {&first, &second}) {
    ASSERT_EQ(cuLinkAddData_v2(linker, CU_JIT_INPUT_PTX, ptx->data(), ptx->size(), "a", 0, nullptr,
                               nullptr),
              CUDA_SUCCESS);
  }
  void* image = nullptr;
  CUmodule module = nullptr;
  ASSERT_EQ(cuLinkComplete(linker, &image, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleLoadData(&module, image), CUDA_SUCCESS);
  CUdeviceptr pointer = 0;
  size_t bytes = 0;
  ASSERT_EQ(cuModuleGetGlobal_v2(&pointer, &bytes, module, "own"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 8u);
  ASSERT_EQ(cuModuleGetGlobal_v2(&pointer, &bytes, module, "shared"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(*reinterpret_cast<uint32_t*>(pointer), 0x1234u);
  EXPECT_EQ(cuLinkDestroy(linker), CUDA_SUCCESS);
}

TEST_F(ModuleTest, LinkedImagesNameTheKernelsOfAllInputs) {
  CUlinkState linker = nullptr;
  void* image = nullptr;
  size_t size = 0;
  ASSERT_EQ(cuLinkCreate_v2(0, nullptr, nullptr, &linker), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkComplete(linker, &image, &size), CUDA_ERROR_INVALID_VALUE);
  std::string other = ".version 8.0\n.entry three() {}\n";
  std::string ptx = kPtx;
  ASSERT_EQ(
      cuLinkAddData_v2(linker, CU_JIT_INPUT_PTX, ptx.data(), ptx.size(), "a", 0, nullptr, nullptr),
      CUDA_SUCCESS);
  ASSERT_EQ(cuLinkAddData_v2(linker, CU_JIT_INPUT_PTX, other.data(), other.size(), "b", 0, nullptr,
                             nullptr),
            CUDA_SUCCESS);
  ASSERT_EQ(cuLinkComplete(linker, &image, &size), CUDA_SUCCESS);
  CUmodule module = nullptr;
  unsigned count = 0;
  ASSERT_EQ(cuModuleLoadData(&module, image), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunctionCount(&count, module), CUDA_SUCCESS);
  EXPECT_EQ(count, 3u);
  ASSERT_EQ(cuLinkDestroy(linker), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkDestroy(linker), CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
