"""The first card, as the driver itself tells it (no NVML, no nvidia-smi)."""
import ctypes


def _attribute(cuda, device, number):
    value = ctypes.c_int(0)
    cuda.cuDeviceGetAttribute(ctypes.byref(value), number, device)
    return value.value


def first_card():
    """({name, driver, memory_bytes, sms, compute_capability}, None), or (None, why there is none)."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return None, f"no driver: {error}"
    count, device = ctypes.c_int(0), ctypes.c_int(0)
    result = cuda.cuInit(0)
    if result != 0:
        return None, f"cuInit gave {result}"
    cuda.cuDeviceGetCount(ctypes.byref(count))
    if count.value == 0:
        return None, "the driver sees no device"
    name, version, total = ctypes.create_string_buffer(100), ctypes.c_int(0), ctypes.c_size_t(0)
    cuda.cuDeviceGet(ctypes.byref(device), 0)
    cuda.cuDeviceGetName(name, 100, device)
    cuda.cuDriverGetVersion(ctypes.byref(version))
    cuda.cuDeviceTotalMem_v2(ctypes.byref(total), device)
    return {
        "name": name.value.decode(),
        "cuda_version": version.value,
        "memory_bytes": total.value,
        "sms": _attribute(cuda, device, 16),
        "compute_capability": f"{_attribute(cuda, device, 75)}.{_attribute(cuda, device, 76)}",
    }, None
