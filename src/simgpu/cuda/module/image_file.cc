#include "simgpu/cuda/module/image_file.h"

#include <fstream>
#include <sstream>

namespace simgpu::cuda {

CUresult ReadImage(const char* path, std::string* image) {
  SIMGPU_REQUIRE(path != nullptr, CUDA_ERROR_INVALID_VALUE);
  std::ifstream file(path, std::ios::binary);
  SIMGPU_REQUIRE(file.is_open(), CUDA_ERROR_FILE_NOT_FOUND);
  std::ostringstream text;
  text << file.rdbuf();  // reads nothing of a folder, where an iterator would throw
  *image = text.str();
  SIMGPU_REQUIRE(!image->empty(), CUDA_ERROR_INVALID_IMAGE);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda
