#include "simgpu/cuda/module/plain_name.h"

#include <cctype>

namespace simgpu::cuda {

std::string PlainName(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  size_t at = name.starts_with("_ZN") ? 3 : 2;
  std::string plain = name;
  while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0) {
    size_t length = 0;
    while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0) {
      length = length * 10 + static_cast<size_t>(name[at++] - '0');
      if (length > name.size()) return name;
    }
    if (at + length > name.size()) return plain;
    plain = name.substr(at, length);
    at += length;
  }
  return plain;
}

}  // namespace simgpu::cuda
