"""Compiles HLSL files with DXC (libdxcompiler, through its C interface).

python3 compile.py LIBRARY DIR: DIR holds NAME.hlsl files, each with one [numthreads] entry point. Prints a line for each file
that fails, then `N compiled, N failed`; exit code 1 when any failed.
"""

import ctypes
import pathlib
import re
import sys
import uuid


class Guid(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 16)]

    def __init__(self, text):
        super().__init__((ctypes.c_ubyte * 16).from_buffer_copy(uuid.UUID(text).bytes_le))


class Buffer(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char_p), ("size", ctypes.c_size_t), ("encoding", ctypes.c_uint32)]


COMPILER = Guid("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0")
COMPILER3 = Guid("228b4687-5a6a-4730-900c-9702b2203f54")
RESULT = Guid("58346cda-dde7-4497-9461-6f87af5e0659")
UTF8 = 65001
# Places in the tables of virtual functions: IUnknown has three, and outside of Windows a destructor with two.
BASE = 3 if sys.platform == "win32" else 5
COMPILE, STATUS, ERRORS = BASE, BASE, BASE + 2
BLOB_POINTER, BLOB_SIZE = BASE, BASE + 1


def method(thing, place, result, *arguments):
    table = ctypes.cast(thing, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
    return ctypes.CFUNCTYPE(result, ctypes.c_void_p, *arguments)(table[place])


def words(blob):
    size = method(blob, BLOB_SIZE, ctypes.c_size_t)(blob)
    return ctypes.string_at(method(blob, BLOB_POINTER, ctypes.c_void_p)(blob), size).decode(errors="replace")


def compile_text(compiler, text):
    """None, or what the compiler says is wrong."""
    entry = re.search(r"\[numthreads\([^]]*\)\]\s*void\s+(\w+)", text)
    if entry is None:
        return "no entry point"
    arguments = ["-E", entry[1], "-T", "cs_6_6", "-HV", "2018", "-Gis"]
    list_of = (ctypes.c_wchar_p * len(arguments))(*arguments)
    data = text.encode()
    source = Buffer(data, len(data), UTF8)
    result = ctypes.c_void_p()
    call = method(compiler, COMPILE, ctypes.c_int32, ctypes.POINTER(Buffer), ctypes.c_void_p, ctypes.c_uint32,
                  ctypes.c_void_p, ctypes.POINTER(Guid), ctypes.POINTER(ctypes.c_void_p))
    code = call(compiler, ctypes.byref(source), list_of, len(arguments), None, ctypes.byref(RESULT), ctypes.byref(result))
    if code < 0:
        return f"HRESULT {code & 0xffffffff:#x}"
    status = ctypes.c_int32()
    method(result, STATUS, ctypes.c_int32, ctypes.POINTER(ctypes.c_int32))(result, ctypes.byref(status))
    errors = ctypes.c_void_p()
    method(result, ERRORS, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))(result, ctypes.byref(errors))
    said = words(errors).strip("\0 \n") if errors else ""
    return None if status.value >= 0 else said or f"status {status.value & 0xffffffff:#x}"


def main():
    library, folder = sys.argv[1:]
    compiler = ctypes.c_void_p()
    create = ctypes.CDLL(library).DxcCreateInstance
    code = create(ctypes.byref(COMPILER), ctypes.byref(COMPILER3), ctypes.byref(compiler))
    if code < 0:
        sys.exit(f"DxcCreateInstance: HRESULT {code & 0xffffffff:#x}")
    compiled = failed = 0
    for path in sorted(pathlib.Path(folder).glob("*.hlsl")):
        said = compile_text(compiler, path.read_text())
        if said is None:
            compiled += 1
        else:
            failed += 1
            first = next((line for line in said.splitlines() if "error" in line), said)
            print(f"FAILED {path.name}: {first}")
    print(f"{compiled} compiled, {failed} failed")
    sys.exit(failed > 0 or compiled == 0)


main()
