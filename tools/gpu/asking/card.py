"""Tells what a program is told of the first card by the CUDA driver: before a context, with one, with memory and with code."""
import ctypes

from library import Library, loaded_from, tell

ATTRIBUTES = {"sms": 16, "major": 75, "minor": 76, "unified_addressing": 41, "managed_memory": 83,
              "virtual_memory": 102, "memory_pools": 115, "mps_enabled": 133}
MIB = 1 << 20
KERNEL = b".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n\0"


def memory(cuda):
    free, total = ctypes.c_size_t(0), ctypes.c_size_t(0)
    result = cuda.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    return {"result": result, "free": free.value, "total": total.value}


def identity(cuda, device):
    name, uuid = ctypes.create_string_buffer(100), ctypes.create_string_buffer(16)
    cuda.call("cuDeviceGetName", name, 100, device)
    cuda.call("cuDeviceGetUuid_v2", uuid, device)
    attributes = {each: cuda.number("cuDeviceGetAttribute", number, device) for each, number in ATTRIBUTES.items()}
    tell("card", name=name.value.decode(), uuid=uuid.raw.hex(),
         total=cuda.number("cuDeviceTotalMem_v2", device, kind=ctypes.c_size_t), **attributes)


def with_memory(cuda):
    pointer = ctypes.c_uint64(0)
    tell("alloc", result=cuda.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(64 * MIB + 1)),
         memory=memory(cuda))
    tell("free", result=cuda.call("cuMemFree_v2", pointer), memory=memory(cuda))


def with_code(cuda):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    tell("module", result=cuda.call("cuModuleLoadData", ctypes.byref(module), KERNEL), memory=memory(cuda))
    found = cuda.call("cuModuleGetFunction", ctypes.byref(function), module, b"nothing")
    launched = cuda.call("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, None, None, None)
    tell("launch", found=found, result=launched, synchronized=cuda.call("cuCtxSynchronize"), memory=memory(cuda))
    tell("unload", result=cuda.call("cuModuleUnload", module), memory=memory(cuda))


def main():
    cuda = Library("libcuda.so.1")
    tell("library", files=loaded_from("libcuda.so"))
    result = cuda.call("cuInit", 0)
    tell("init", result=result)
    if result != 0:
        return
    tell("driver", cuda_version=cuda.number("cuDriverGetVersion"), cards=cuda.number("cuDeviceGetCount"),
         files=loaded_from("libcuda.so"))
    device, context = ctypes.c_int(0), ctypes.c_void_p()
    if cuda.call("cuDeviceGet", ctypes.byref(device), 0) != 0:
        return
    identity(cuda, device)
    retained = cuda.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    tell("context", result=retained, current=cuda.call("cuCtxSetCurrent", context), memory=memory(cuda))
    with_memory(cuda)
    with_code(cuda)
    tell("end", released=cuda.call("cuDevicePrimaryCtxRelease_v2", device))


main()
