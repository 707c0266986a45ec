// Whatever a peer sends and however it is cut, a message keeps to its limits. The first byte says
// where the rest is cut.
#include <cstdint>
#include <cstdlib>

#include "platform/http/message_reader.h"

namespace {

constexpr warpshare::http::MessageLimits kLimits{.header_bytes = 512, .body_bytes = 64};

template <typename Reader, typename Look>
void Read(std::string_view first, std::string_view second, Look look) {
  Reader reader(kLimits);
  auto progress = reader.Feed(first);
  if (progress == warpshare::http::Progress::kNeedMore) progress = reader.Feed(second);
  for (int i = 0; i < 8 && progress == warpshare::http::Progress::kComplete; ++i) {
    look(reader);
    progress = reader.Feed("");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t cut = data[0] < text.size() ? data[0] : text.size();
  const auto check = [](auto& reader) {
    const auto taken = reader.Take();
    if constexpr (requires { taken.request; }) {
      if (taken.request.body.size() > kLimits.body_bytes) std::abort();
    } else if (taken.response.body.size() > kLimits.body_bytes) {
      std::abort();
    }
  };
  Read<warpshare::http::RequestReader>(text.substr(0, cut), text.substr(cut), check);
  Read<warpshare::http::ResponseReader>(text.substr(0, cut), text.substr(cut), check);
  return 0;
}
