// Whatever stands in a Lease, who reads it can take it over, and what is written then is read back.
#include <cstdint>
#include <cstdlib>

#include "platform/kube/lease.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpshare;
  const auto document = json::Document::Parse({reinterpret_cast<const char*>(data), size});
  if (!document) return 0;
  const auto record = kube::ReadLease(document->root());
  if (!record) return 0;
  kube::LeaseView view("us", {});
  view.Seen(*record, {});
  if (!view.MayTake(view.may_take_at())) std::abort();
  const std::string text = kube::LeaseText({.space = "s",
                                            .name = "n",
                                            .holder = "us",
                                            .transitions = view.next_transitions(),
                                            .resource_version = record->resource_version});
  const auto written = json::Document::Parse(text);
  if (!written) std::abort();
  if (record->resource_version.empty()) return 0;
  const auto back = kube::ReadLease(written->root());
  if (!back || back->holder != "us" || back->resource_version != record->resource_version ||
      back->transitions != view.next_transitions() || back->transitions < 0)
    std::abort();
  return 0;
}
