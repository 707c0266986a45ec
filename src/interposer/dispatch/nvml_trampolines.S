/* Exports of libnvidia-ml.so.1 that only pass through: one jump a row. */
#include "interposer/dispatch/trampoline_x86_64.inc"

define_copy_note libnvidia-ml.so.1
define_resolve_and_go

#define ROW_PASS(symbol) pass symbol, warpshare_nvml_slots
#define ROW_HOOK(symbol) hook symbol
#define NVML_ENTRY(symbol, effect, handling) ROW_##handling(symbol)
#include "abi/driver/entry_points.def"
