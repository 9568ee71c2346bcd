"""Functions in machine code: what ctypes, cffi, numba and scipy make of them, and whether their types are the right ones."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import Any, Optional

from clopt import _core

__all__ = ["CFunction", "is_low_level_callable"]


@dataclass(frozen=True)
class CFunction:
    """A function in machine code, of real genes: from numba, cffi, ctypes or Cython.

    Its type is ``double f(int n, double *x)``, as scipy.LowLevelCallable has it; with `rows` it is
    ``double f(int n, double *x, int columns, double *row)``, and `row` is the problem's row of the data. It must not
    write to its arguments. Threads call it at the same time, without the interpreter's lock, in no particular order.

    Attributes:
        address: the function: what ``numba.cfunc`` makes; a pointer of cffi (``ffi.addressof(lib, "f")``, or ``lib.f``
            after dlopen); a function of ctypes; a scipy.LowLevelCallable, also of ``double f(int n, double *x, void
            *user_data)``; or its address. Where the type is known another one is a TypeError. What is given lives as
            long as a run calls the function. The code at an address must outlive the run, and a wrong one ends the process.
        rows: whether it takes its problem's row.
        name: what messages and checkpoints call it.
    """

    address: Any
    rows: bool = False
    name: str = "function"

    def _pointer(self) -> _core.CPointer:
        address, user_data = _pointer_of(self.address, self.rows)
        return _core.CPointer(address, self.rows, user_data, self.address)


_Pointer = tuple[int, Optional[int]]  # the address, and the data of a function that takes them
_C_FUNCTION: Any = ctypes.CFUNCTYPE(None).__mro__[1]  # of ctypes' functions
_PLAIN = "double(int,double*)"
_WITH_USER_DATA = "double(int,double*,void*)"
_WITH_ROWS = "double(int,double*,int,double*)"


def is_low_level_callable(function: Any) -> bool:
    """Whether it is scipy's; scipy is not imported for it."""
    scipy = sys.modules.get("scipy")
    return scipy is not None and isinstance(function, scipy.LowLevelCallable)


def _pointer_of(function: Any, rows: bool) -> _Pointer:
    function = _of_numba(function)
    if is_low_level_callable(function):
        return _of_scipy(function, rows)
    if isinstance(function, _C_FUNCTION):
        return _of_ctypes(function, rows)
    if _is_of_cffi(function):
        return _of_cffi(function, rows)
    if isinstance(function, int) and not isinstance(function, bool):
        return function, None
    raise TypeError(
        f"CFunction: {function!r} is not a C function; give what numba.cfunc makes, a pointer of cffi, a function of ctypes, "
        "a scipy.LowLevelCallable, or an address"
    )


def _require(found: str, rows: bool) -> None:
    expected = _WITH_ROWS if rows else _PLAIN
    if found.replace("const", "").replace(" ", "").replace("int32_t", "int") != expected:
        raise TypeError(f"CFunction: the function is {found}; with rows={rows} it must be {expected}")


def _of_numba(function: Any) -> Any:
    """What ctypes makes of a function of numba.cfunc; anything else as it is."""
    inner = getattr(function, "ctypes", None)
    return inner if isinstance(inner, _C_FUNCTION) else function


def _of_ctypes(function: Any, rows: bool) -> _Pointer:
    # A library's function has no types unless they were set.
    if function.argtypes is not None:
        _require(f"{_ctypes_name(function.restype)}({','.join(map(_ctypes_name, function.argtypes))})", rows)
    # ctypes.cast would have the function refer to itself.
    return ctypes.c_void_p.from_buffer(function).value or 0, None


def _ctypes_name(kind: Any) -> str:
    if kind is ctypes.c_double:
        return "double"
    if kind is ctypes.c_int:
        return "int"
    # Of numpy's pointers as well; an untyped one is taken for what it must be.
    if kind in (ctypes.POINTER(ctypes.c_double), ctypes.c_void_p) or getattr(kind, "_dtype_", None) == "float64":
        return "double*"
    return getattr(kind, "__name__", str(kind))


def _is_of_cffi(function: Any) -> bool:
    backend = sys.modules.get("_cffi_backend")
    return backend is not None and isinstance(function, backend._CDataBase)


def _of_cffi(function: Any, rows: bool) -> _Pointer:
    cffi = sys.modules["_cffi_backend"].FFI()
    _require(cffi.typeof(function).cname.replace("(*)", ""), rows)
    return int(cffi.cast("uintptr_t", function)), None


def _of_scipy(function: Any, rows: bool) -> _Pointer:
    """scipy keeps the function, its signature and the user's data in a capsule."""
    capsule = tuple.__getitem__(function, 0)
    address = _capsule_pointer(capsule, _capsule_name(capsule)) or 0
    signature = str(function.signature)
    if not rows and signature.replace(" ", "") == _WITH_USER_DATA:
        return address, _capsule_context(capsule) or 0
    _require(signature, rows)
    if function.user_data is not None:
        raise TypeError(f"CFunction: the function is {signature}, which takes no user_data; leave that out")
    return address, None


_OF_CAPSULE = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)
_capsule_name = _OF_CAPSULE(("PyCapsule_GetName", ctypes.pythonapi))
_capsule_context = _OF_CAPSULE(("PyCapsule_GetContext", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
