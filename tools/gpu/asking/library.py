"""Calls of a C library, told step by step, so that a crash leaves what came before it."""
import ctypes
import json


def tell(step, **values):
    print(json.dumps({"step": step, **values}), flush=True)


class Library:
    """Functions by name; one that is not there returns None."""

    def __init__(self, name):
        self._library = ctypes.CDLL(name)

    def call(self, name, *arguments):
        try:
            function = getattr(self._library, name)
        except AttributeError:
            return None
        return function(*arguments)

    def number(self, name, *arguments, kind=ctypes.c_int):
        """What it writes through its first argument, or {"result": why not}."""
        value = kind(0)
        result = self.call(name, ctypes.byref(value), *arguments)
        return value.value if result == 0 else {"result": result}


def loaded_from(name):
    """The file that a library of this process was loaded from."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split()[-1] for line in maps if "/" in line}
    return sorted(file for file in files if f"/{name}" in file)
