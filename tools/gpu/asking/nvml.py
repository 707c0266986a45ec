"""Tells what a program is told of the first card by NVML: alone, and while it has a context and 64 MiB."""
import ctypes
import os

from library import Library, loaded_from, tell

MIB = 1 << 20


class MemoryV1(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("total", "free", "used")]


class MemoryV2(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint)] + [(name, ctypes.c_uint64) for name in ("total", "reserved", "free", "used")]


class Process(ctypes.Structure):
    _fields_ = [("pid", ctypes.c_uint), ("bytes", ctypes.c_uint64), ("gpu_instance", ctypes.c_uint),
                ("compute_instance", ctypes.c_uint)]


class Utilization(ctypes.Structure):
    _fields_ = [("gpu", ctypes.c_uint), ("memory", ctypes.c_uint)]


def fields(structure, result):
    told = {name: getattr(structure, name) for name, _ in structure._fields_ if name != "version"}
    return {"result": result, **told}


def memory(nvml, card, function, structure):
    return fields(structure, nvml.call(function, card, ctypes.byref(structure)))


def processes(nvml, card, function):
    most = 256
    count, found = ctypes.c_uint(most), (Process * most)()
    result = nvml.call(function, card, ctypes.byref(count), found)
    listed = min(count.value, most) if result == 0 else 0
    return {"result": result, "processes": [[each.pid, each.bytes] for each in found[:listed]]}


def text(nvml, function, *arguments):
    buffer = ctypes.create_string_buffer(96)
    result = nvml.call(function, *arguments, buffer, 96)
    return buffer.value.decode() if result == 0 else {"result": result}


def look(nvml, card, step):
    second = MemoryV2(version=ctypes.sizeof(MemoryV2) | 2 << 24)
    used = Utilization()
    tell(step, memory=memory(nvml, card, "nvmlDeviceGetMemoryInfo", MemoryV1()),
         memory_v2=memory(nvml, card, "nvmlDeviceGetMemoryInfo_v2", second),
         compute=processes(nvml, card, "nvmlDeviceGetComputeRunningProcesses_v3"),
         graphics=processes(nvml, card, "nvmlDeviceGetGraphicsRunningProcesses_v3"),
         utilization=fields(used, nvml.call("nvmlDeviceGetUtilizationRates", card, ctypes.byref(used))))


def take_memory():
    cuda, context, pointer = Library("libcuda.so.1"), ctypes.c_void_p(), ctypes.c_uint64(0)
    results = [cuda.call("cuInit", 0), cuda.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0),
               cuda.call("cuCtxSetCurrent", context),
               cuda.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(64 * MIB))]
    tell("taken", results=results)


def main():
    nvml = Library("libnvidia-ml.so.1")
    tell("init", result=nvml.call("nvmlInit_v2"), files=loaded_from("libnvidia-ml.so"), pid=os.getpid())
    tell("system", driver=text(nvml, "nvmlSystemGetDriverVersion"), nvml=text(nvml, "nvmlSystemGetNVMLVersion"),
         cards=nvml.number("nvmlDeviceGetCount_v2", kind=ctypes.c_uint))
    card = ctypes.c_void_p()
    if nvml.call("nvmlDeviceGetHandleByIndex_v2", 0, ctypes.byref(card)) != 0:
        return
    current, pending = ctypes.c_uint(0), ctypes.c_uint(0)
    mig = nvml.call("nvmlDeviceGetMigMode", card, ctypes.byref(current), ctypes.byref(pending))
    tell("card", name=text(nvml, "nvmlDeviceGetName", card), uuid=text(nvml, "nvmlDeviceGetUUID", card),
         mig={"result": mig, "current": current.value})
    look(nvml, card, "alone")
    take_memory()
    look(nvml, card, "with_memory")
    tell("end", result=nvml.call("nvmlShutdown"))


main()
