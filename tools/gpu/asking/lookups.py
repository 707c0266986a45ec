"""Asks cuGetProcAddress for every name of entry_points.def, at several versions and with each stream flag, and prints one
JSON object: "name version flags" -> [result, status, whether an address came].

usage: lookups.py FOLDER_OF_DEF_FILES"""
import ctypes
import glob
import json
import re
import sys

VERSIONS = (4000, 7000, 11000, 12000, 13000)
FLAGS = (0, 1, 2)  # default, legacy, per-thread default stream


def names(folder):
    found = set()
    for path in glob.glob(f"{folder}/cuda_*.def"):
        with open(path, encoding="utf-8") as rows:
            found.update(re.findall(r"^CUDA_ENTRY\(\w+,\s*(\w+),", rows.read(), re.M))
            rows.seek(0)
            found.update(re.findall(r"^CUDA_ALIAS\((\w+),", rows.read(), re.M))
    return sorted(found)


def main():
    cuda = ctypes.CDLL("libcuda.so.1")
    answers = {"cuInit": cuda.cuInit(0)}
    for name in names(sys.argv[1]):
        for version in VERSIONS:
            for flags in FLAGS:
                address, status = ctypes.c_void_p(), ctypes.c_int(-1)
                result = cuda.cuGetProcAddress_v2(name.encode(), ctypes.byref(address), version, ctypes.c_uint64(flags),
                                                  ctypes.byref(status))
                answers[f"{name} {version} {flags}"] = [result, status.value, address.value is not None]
    print(json.dumps(answers))


main()
