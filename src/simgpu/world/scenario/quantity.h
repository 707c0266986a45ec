// Amounts as people write them in scenarios: "40GiB", "2ms", "25GB/s". Printing gives the shortest
// exact form, which the parser reads back. Parsers return false and say in `error` what would have
// been right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace simgpu::world {

bool ParseCount(std::string_view text, uint64_t* value, std::string* error);  // 108, 0x1f
bool ParseBytes(std::string_view text, uint64_t* bytes,
                std::string* error);  // B KiB MiB GiB TiB KB MB GB TB
bool ParseDuration(std::string_view text, uint64_t* ns, std::string* error);  // ns us ms s
bool ParseRate(std::string_view text, uint64_t* bytes_per_second,
               std::string* error);  // B/s .. TB/s, GiB/s

std::string PrintBytes(uint64_t bytes);
std::string PrintDuration(uint64_t ns);
std::string PrintRate(uint64_t bytes_per_second);

std::string_view Trim(std::string_view text);

}  // namespace simgpu::world
