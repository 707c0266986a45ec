#include "platform/nvml/nvml.h"

#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <variant>

#include "abi/driver/nvml_types.h"
#include "platform/nvml/nvml_library.h"
#include "platform/nvml/question.h"
#include "types/printable.h"

namespace warpshare::platform {

namespace {

using nvml::Bind;

struct Functions : nvml::Basics {
  const char* (*error_string)(nvmlReturn_t);
  nvmlReturn_t (*name)(nvmlDevice_t, char*, unsigned int);
  nvmlReturn_t (*memory)(nvmlDevice_t, nvmlMemory_t*);
  // Null where the driver is too old for them.
  nvmlReturn_t (*minor)(nvmlDevice_t, unsigned int*);
  nvmlReturn_t (*affinity)(nvmlDevice_t, unsigned int, unsigned long*, nvmlAffinityScope_t);
};

bool BindAll(void* library, Functions& nvml) {
  Bind(library, "nvmlDeviceGetMinorNumber", nvml.minor);
  Bind(library, "nvmlDeviceGetMemoryAffinity", nvml.affinity);
  return nvml::BindBasics(library, nvml) && Bind(library, "nvmlErrorString", nvml.error_string) &&
         Bind(library, "nvmlDeviceGetName", nvml.name) &&
         Bind(library, "nvmlDeviceGetMemoryInfo", nvml.memory);
}

std::string DriverSays(const Functions& nvml, const std::string& what, nvmlReturn_t answer) {
  return what + ": the driver says '" + Printable(nvml.error_string(answer)) + "'";
}

Failure NoCards(const Functions& nvml, const std::string& what, nvmlReturn_t answer) {
  return Fail(Errc::kUnavailable, DriverSays(nvml, what, answer) + ": run: warpshare doctor");
}

std::string WhatFailed(uint32_t index) { return "cannot read card " + std::to_string(index); }

std::optional<uint32_t> MinorOf(const Functions& nvml, nvmlDevice_t device) {
  unsigned int minor = 0;
  if (nvml.minor == nullptr || nvml.minor(device, &minor) != NVML_SUCCESS) return std::nullopt;
  return minor;
}

// The node whose memory is near, if it is one.
std::optional<uint32_t> NumaNodeOf(const Functions& nvml, nvmlDevice_t device) {
  std::array<unsigned long, 16> nodes = {};  // 1024 of them, as many as the kernel has
  constexpr uint32_t kWordBits = 64;
  if (nvml.affinity == nullptr ||
      nvml.affinity(device, nodes.size(), nodes.data(), NVML_AFFINITY_SCOPE_NODE) != NVML_SUCCESS)
    return std::nullopt;
  std::optional<uint32_t> only;
  for (uint32_t word = 0; word < nodes.size(); ++word) {
    if (nodes[word] == 0) continue;
    if (only || !std::has_single_bit(nodes[word])) return std::nullopt;
    only = word * kWordBits + static_cast<uint32_t>(std::countr_zero(nodes[word]));
  }
  return only;
}

std::optional<GpuUuid> UuidOf(const char (&untrusted)[NVML_DEVICE_UUID_V2_BUFFER_SIZE]) {
  return ParseGpuUuid(std::string_view(untrusted, strnlen(untrusted, sizeof(untrusted))));
}

using CardAnswer = std::variant<Card, UnreadableCard>;

CardAnswer ReadCard(const Functions& nvml, uint32_t index) {
  const std::string what = WhatFailed(index);
  nvmlDevice_t device = nullptr;
  char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE] = {};
  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE] = {};
  nvmlMemory_t memory = {};
  nvmlReturn_t answer = nvml.handle(index, &device);
  if (answer == NVML_SUCCESS) answer = nvml.uuid(device, uuid, sizeof(uuid));
  if (answer == NVML_SUCCESS) answer = nvml.name(device, name, sizeof(name));
  if (answer == NVML_SUCCESS) answer = nvml.memory(device, &memory);
  const auto parsed = UuidOf(uuid);
  if (answer != NVML_SUCCESS)
    return UnreadableCard{index, parsed, {Errc::kUnavailable, DriverSays(nvml, what, answer)}};
  if (!parsed)
    return UnreadableCard{
        index,
        parsed,
        {Errc::kCorrupt, what + ": its uuid '" + Printable(uuid) +
                             "' has a form that this version of warpshare does not know"}};
  return Card{.index = index,
              .uuid = *parsed,
              .name = Printable(std::string_view(name, sizeof(name))),
              .total = Bytes(memory.total),
              .used = Bytes(memory.used),
              .minor = MinorOf(nvml, device),
              .numa_node = NumaNodeOf(nvml, device)};
}

UnreadableCard Hanging(uint32_t index, std::chrono::milliseconds patience) {
  return {index,
          std::nullopt,
          {Errc::kUnavailable, WhatFailed(index) + ": it has not answered within " +
                                   std::to_string(patience.count()) + " ms"}};
}

// All at once; by index. None: the patience is over.
std::vector<std::optional<CardAnswer>> AskAll(const Functions& nvml, uint32_t count,
                                              std::chrono::milliseconds patience) {
  using std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kTurn{10};
  std::vector<Question<CardAnswer>> questions;
  questions.reserve(count);
  for (uint32_t index = 0; index < count; ++index)
    questions.emplace_back([nvml, index] { return ReadCard(nvml, index); });
  std::vector<std::optional<CardAnswer>> answers(count);
  auto until = steady_clock::now() + patience;
  for (uint32_t left = count; left > 0 && steady_clock::now() < until;) {
    for (uint32_t index = 0; index < count; ++index) {
      if (answers[index] || !(answers[index] = questions[index].Await(kTurn))) continue;
      --left;
      until = steady_clock::now() + patience;
    }
  }
  return answers;
}

Result<CardList> ReadCards(const Functions& nvml, std::chrono::milliseconds patience) {
  unsigned int count = 0;
  if (const nvmlReturn_t answer = nvml.count(&count); answer != NVML_SUCCESS)
    return NoCards(nvml, "cannot count the cards", answer);
  CardList list;
  auto answers = AskAll(nvml, count, patience);
  for (uint32_t index = 0; index < count; ++index) {
    if (!answers[index]) {
      list.unreadable.push_back(Hanging(index, patience));
    } else if (auto* card = std::get_if<Card>(&*answers[index])) {
      list.cards.push_back(std::move(*card));
    } else {
      list.unreadable.push_back(std::move(std::get<UnreadableCard>(*answers[index])));
    }
  }
  return list;
}

Result<CardList> AskDriver(const std::string& driver_folder, std::chrono::milliseconds patience) {
  const auto library = nvml::OpenLibrary(driver_folder);
  if (!library) return Fail(library.error());
  Functions nvml = {};
  if (!BindAll(*library, nvml))
    return Fail(Errc::kCorrupt,
                driver_folder + ": its NVML lacks functions: install driver 450 or later");
  if (const nvmlReturn_t answer = nvml.init(); answer != NVML_SUCCESS)
    return NoCards(nvml, "cannot ask for the cards", answer);
  auto cards = ReadCards(nvml, patience);
  if (!IsDriverAsked()) nvml.shutdown();  // which might wait for who asks
  return cards;
}

}  // namespace

Result<CardList> ListCards(const std::string& driver_folder, std::chrono::milliseconds patience) {
  return AskOnItsOwn([&] { return AskDriver(driver_folder, patience); });
}

}  // namespace warpshare::platform
