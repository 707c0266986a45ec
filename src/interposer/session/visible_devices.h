// What CUDA_VISIBLE_DEVICES must say for CUDA to show a tenant its granted cards and no others.
//
// A program is on a machine of the granted cards, in the order of the limits page, as through NVML.
// What it or its pod put into the variable chooses among these, as the driver would read it there:
// indices, or uuids or beginnings of them that fit one card only, by what the first entry is; the
// list ends before the first entry that is no granted card, and a card named twice makes it empty.
// Blanks around an entry and the case of a uuid do not matter.
//
// Full uuids come out; of those the same come out again. The page does not tell a MIG device from a
// card: one is shown only to a program that asks for it as "MIG-".
#pragma once

#include "abi/region/limits_page.h"
#include "interposer/guest/text.h"

namespace warpshare::interposer {

// "GPU-" and a uuid for each card, with commas between them and NUL behind.
using VisibleDevices = guest::Text<abi::kMaxCards * (4 + guest::kUuidLength + 1)>;

// Fills the empty `visible`. `wanted`: the variable's value, or null if it is not set.
void ComposeVisibleDevices(const char* wanted, const abi::LimitsPageV1& limits,
                           VisibleDevices& visible);

}  // namespace warpshare::interposer
