// What this machine has none of: excluded devices, host interface cards, and units (the chassis of
// old S-class systems). No handle of a unit exists, so every one that is passed is wrong.
#include "simgpu/nvml/session/answer.h"
#include "simgpu/nvml/system/api.h"

using simgpu::nvml::Ready;
using simgpu::world::World;

namespace {

nvmlReturn_t CountNone(unsigned* count) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(count != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  *count = 0;
  return NVML_SUCCESS;
}

nvmlReturn_t NoSuchThing() {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  return NVML_ERROR_INVALID_ARGUMENT;
}

}  // namespace

nvmlReturn_t nvmlGetExcludedDeviceCount(unsigned* count) { return CountNone(count); }
nvmlReturn_t nvmlGetExcludedDeviceInfoByIndex(unsigned, nvmlExcludedDeviceInfo_t*) {
  return NoSuchThing();
}
nvmlReturn_t nvmlGetBlacklistDeviceCount(unsigned* count) { return CountNone(count); }
nvmlReturn_t nvmlGetBlacklistDeviceInfoByIndex(unsigned, nvmlExcludedDeviceInfo_t*) {
  return NoSuchThing();
}
nvmlReturn_t nvmlSystemGetHicVersion(unsigned* count, void*) { return CountNone(count); }

nvmlReturn_t nvmlUnitGetCount(unsigned* count) { return CountNone(count); }
nvmlReturn_t nvmlUnitGetDevices(nvmlUnit_t, unsigned*, nvmlDevice_t*) { return NoSuchThing(); }
nvmlReturn_t nvmlUnitGetFanSpeedInfo(nvmlUnit_t, void*) { return NoSuchThing(); }
nvmlReturn_t nvmlUnitGetHandleByIndex(unsigned, nvmlUnit_t*) { return NoSuchThing(); }
nvmlReturn_t nvmlUnitGetLedState(nvmlUnit_t, void*) { return NoSuchThing(); }
nvmlReturn_t nvmlUnitGetPsuInfo(nvmlUnit_t, void*) { return NoSuchThing(); }
nvmlReturn_t nvmlUnitGetTemperature(nvmlUnit_t, unsigned, unsigned*) { return NoSuchThing(); }
nvmlReturn_t nvmlUnitGetUnitInfo(nvmlUnit_t, void*) { return NoSuchThing(); }
nvmlReturn_t nvmlUnitSetLedState(nvmlUnit_t, int) { return NoSuchThing(); }
