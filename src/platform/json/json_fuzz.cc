// Whatever is read can be walked through, says its path, and is the same value once written and
// read again; and any bytes can be written as a string.
#include <cstdint>
#include <cstdlib>

#include "platform/json/json.h"
#include "platform/json/writer.h"

namespace {

using warpshare::json::Document;
using warpshare::json::View;

void Walk(View view, int depth) {
  if (depth > 64) std::abort();
  (void)view.String();
  (void)view.Integer();
  (void)view.Number();
  (void)view.AnyCase("Name");
  for (const View item : view.items()) Walk(item, depth + 1);
  for (const auto [name, value] : view.members()) Walk(value, depth + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto quoted = Document::Parse(warpshare::json::Quoted(text));
  if (!quoted || quoted->root().kind() != warpshare::json::Kind::kString) std::abort();

  const auto document = Document::Parse(text, {.bytes = 4096, .depth = 64});
  if (!document) return 0;
  Walk(document->root(), 0);
  const std::string once = document->root().Text();
  const auto again = Document::Parse(once);
  if (!again || again->root().Text() != once) std::abort();
  return 0;
}
