#include "policy/request/resize.h"

#include <algorithm>
#include <charconv>

#include "abi/names/annotations.h"
#include "types/printable.h"

namespace warpshare::request {

namespace {

constexpr size_t kMostResizes = 256;  // a pod has no more containers

Failure Refuse(std::string_view untrusted_part, std::string_view mend) {
  return Fail(Errc::kInvalid, "annotation " + std::string(abi::kAnnotationResize) + " '" +
                                  Printable(untrusted_part, 64) + "': " + std::string(mend));
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Takes the part up to the separator, which goes with it.
std::string_view TakePart(std::string_view& rest, char separator) {
  const size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return Trim(part);
}

std::optional<uint32_t> ParseCores(std::string_view text) {
  uint32_t cores = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, cores);
  if (error != std::errc() || stopped != end || cores > kWholeCardCores) return std::nullopt;
  return cores;
}

bool IsNothing(const MemoryAmount& memory) {
  return memory.On(Bytes(uint64_t{1} << 40)) == Bytes();
}

Result<void> TakeWord(Resize& resize, std::string_view untrusted_word) {
  std::string_view rest = untrusted_word;
  const std::string_view name = TakePart(rest, '=');
  const std::string_view value = Trim(rest);
  if (name == "memory" && !resize.memory) {
    resize.memory = ParseMemoryAmount(value);
    if (resize.memory && !IsNothing(*resize.memory)) return {};
    return Refuse(untrusted_word, "write memory=6GiB or memory=25%, of each card");
  }
  if (name == "cores" && !resize.cores) {
    resize.cores = ParseCores(value);
    if (resize.cores) return {};
    return Refuse(untrusted_word, "write a percentage of each card, 0 to 100, as in cores=50");
  }
  return Refuse(untrusted_word, "say memory=6GiB, cores=50 or both between commas, once each");
}

Result<Resize> ReadOne(std::string_view part) {
  Resize resize;
  if (const size_t colon = part.find(':'); colon != part.npos) {
    resize.container = Trim(part.substr(0, colon));
    part.remove_prefix(colon + 1);
    if (resize.container.empty()) return Refuse(part, "name a container before the colon");
  }
  std::string_view rest = part;
  do {
    if (auto taken = TakeWord(resize, TakePart(rest, ',')); !taken) return Forward(taken);
  } while (!rest.empty());
  return resize;
}

}  // namespace

Result<std::vector<Resize>> ReadResizes(const TextMap& annotations) {
  const std::string* text = Find(annotations, abi::kAnnotationResize);
  std::vector<Resize> resizes;
  if (text == nullptr || Trim(*text).empty()) return resizes;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view part = TakePart(rest, ';');
    auto resize = ReadOne(part);
    if (!resize) return Forward(resize);
    if (std::ranges::find(resizes, resize->container, &Resize::container) != resizes.end())
      return Refuse(part, "says another thing of the same containers: say it once");
    if (resizes.size() == kMostResizes) return Refuse(part, "names more than 256 containers");
    resizes.push_back(std::move(*resize));
  }
  return resizes;
}

Resize ResizeOf(const std::vector<Resize>& resizes, std::string_view container) {
  Resize all{.container = std::string(container)};
  const auto take = [&](const Resize& resize) {
    if (resize.memory) all.memory = resize.memory;
    if (resize.cores) all.cores = resize.cores;
  };
  for (const Resize& resize : resizes)
    if (resize.container.empty()) take(resize);
  for (const Resize& resize : resizes)
    if (!resize.container.empty() && resize.container == container) take(resize);
  return all;
}

std::optional<std::string> MisfitOf(const std::vector<Resize>& resizes,
                                    const std::vector<ContainerRequest>& containers) {
  for (const Resize& resize : resizes) {
    const bool fits = std::ranges::any_of(containers, [&](const ContainerRequest& container) {
      const bool is_meant = resize.container.empty() || resize.container == container.name;
      return is_meant && container.cards != 0 && !container.whole;
    });
    if (fits) continue;
    const std::string who =
        resize.container.empty()
            ? "no container of the pod has"
            : "there is no container " + Printable(resize.container, 64) + " that has";
    return "annotation " + std::string(abi::kAnnotationResize) + ": " + who +
           " a part of a card: whole cards are not resized";
  }
  return std::nullopt;
}

}  // namespace warpshare::request
