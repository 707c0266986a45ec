// Whatever is read can be walked through, says its path, and is the same value once written and
// read again, but for the last digits of numbers that are not whole, which Boost.JSON reads nearly
// exactly; and any bytes can be written as a string.
#include <cstdint>
#include <cstdlib>

#include "platform/json/json.h"
#include "platform/json/writer.h"

namespace {

using warpshare::json::Document;
using warpshare::json::View;

// Whether there are numbers that are not whole.
bool Walk(View view, int depth) {
  if (depth > 64) std::abort();
  bool has_fractions = view.kind() == warpshare::json::Kind::kNumber;
  (void)view.String();
  (void)view.Integer();
  (void)view.Number();
  (void)view.AnyCase("Name");
  for (const View item : view.items()) has_fractions |= Walk(item, depth + 1);
  for (const auto [name, value] : view.members()) has_fractions |= Walk(value, depth + 1);
  return has_fractions;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto quoted = Document::Parse(warpshare::json::Quoted(text));
  if (!quoted || quoted->root().kind() != warpshare::json::Kind::kString) std::abort();

  const auto document = Document::Parse(text, {.bytes = 4096, .depth = 64});
  if (!document) return 0;
  const bool has_fractions = Walk(document->root(), 0);
  const std::string once = document->root().Text();
  const auto again = Document::Parse(once);
  if (!again || (!has_fractions && again->root().Text() != once)) std::abort();
  return 0;
}
