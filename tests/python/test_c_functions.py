"""Functions in machine code, from ctypes, cffi, numba and scipy: they are the same run, and other types are refused."""

import ctypes
import gc
import subprocess
import sys

import numpy as np
import pytest
import scipy

import clopt

BOUNDS = 3 * [(-5.0, 5.0)]
RUN = {"maxiter": 20}

DOUBLES = ctypes.POINTER(ctypes.c_double)
Plain = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, DOUBLES)
WithRows = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, DOUBLES, ctypes.c_int, DOUBLES)
WithUserData = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, DOUBLES, ctypes.c_void_p)


def squares(x):
    return float((x[0] - 1) ** 2 + (x[1] - 1) ** 2 + (x[2] - 1) ** 2)


@Plain
def c_squares(n, x):
    return squares(x[:n])


@pytest.fixture
def expected(device):
    return clopt.differential_evolution(squares, BOUNDS, device=device, **RUN)


def is_same(function, expected, device):
    result = clopt.differential_evolution(function, BOUNDS, device=device, **RUN)
    return np.array_equal(result.x, expected.x) and result.fun == expected.fun


def address_of(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def test_ctypes(device, expected):
    assert is_same(clopt.CFunction(c_squares), expected, device)
    assert is_same(clopt.CFunction(address_of(c_squares)), expected, device)
    untyped = Plain(address_of(c_squares))
    untyped.argtypes = [ctypes.c_int, np.ctypeslib.ndpointer(np.float64)]
    assert is_same(clopt.CFunction(untyped), expected, device)


def test_rows(device):
    @WithRows
    def distance(n, x, columns, row):
        return abs(x[0] - sum(row[:columns]))

    data = [[1.0, 2.0], [3.0, 4.0]]
    result = clopt.differential_evolution(
        clopt.CFunction(distance, rows=True), [(0, 9)], data=data, maxiter=60, device=device
    )
    assert np.allclose(result.x[:, 0], [3, 7], atol=1e-3)


def test_scipy(device, expected):
    assert is_same(scipy.LowLevelCallable(c_squares), expected, device)
    assert is_same(clopt.CFunction(scipy.LowLevelCallable(c_squares)), expected, device)

    @WithUserData
    def distance(n, x, data):
        return abs(x[0] - ctypes.cast(data, DOUBLES)[0])

    place = ctypes.c_double(2.5)
    function = scipy.LowLevelCallable(distance, ctypes.cast(ctypes.pointer(place), ctypes.c_void_p))
    assert clopt.differential_evolution(function, [(0, 9)], maxiter=60, device=device).x[0] == pytest.approx(2.5, abs=1e-4)


def test_cffi(device, expected):
    cffi = pytest.importorskip("cffi", reason="cffi is not installed (tools/python-environment FOLDER test has it)")
    ffi = cffi.FFI()
    for declaration in ("double(*)(int, double *)", "double(*)(int32_t n, double const *x)"):
        assert is_same(clopt.CFunction(ffi.cast(declaration, address_of(c_squares))), expected, device)
    callback = ffi.callback("double(int, double *)", lambda n, x: squares(x[0:n]))
    assert is_same(clopt.CFunction(callback), expected, device)
    for declaration in ("double(*)(int)", "float(*)(int, float *)", "void *"):
        with pytest.raises(TypeError, match="must be"):
            clopt.differential_evolution(
                clopt.CFunction(ffi.cast(declaration, address_of(c_squares))), BOUNDS, device=device
            )


def test_numba(device, expected):
    numba = pytest.importorskip("numba", reason="numba is not installed (tools/python-environment FOLDER test has it)")

    @numba.cfunc("float64(intc, CPointer(float64))")
    def function(n, x):
        return (x[0] - 1) ** 2 + (x[1] - 1) ** 2 + (x[2] - 1) ** 2

    @numba.cfunc("float64(intc, CPointer(float64), intc, CPointer(float64))")
    def of_rows(n, x, columns, row):
        return x[0] - row[0]

    for each in (function, function.address, scipy.LowLevelCallable(function.ctypes)):
        assert is_same(clopt.CFunction(each), expected, device)
    with pytest.raises(TypeError, match="must be"):
        clopt.differential_evolution(clopt.CFunction(of_rows), BOUNDS, device=device)
    clopt.differential_evolution(clopt.CFunction(of_rows, rows=True), [(0, 9)], data=[[1]], maxiter=3, device=device)


@pytest.mark.parametrize("function, rows", [
    (ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(abs), False),
    (ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, DOUBLES)(lambda n, x: 0), False),
    (c_squares, True),
    (WithRows(lambda n, x, columns, row: 0.0), False),
    (scipy.LowLevelCallable(WithRows(lambda n, x, columns, row: 0.0)), False),
    (scipy.LowLevelCallable(c_squares, ctypes.c_void_p(8)), False),
    ("0", False), (None, False), (True, False), (1.5, False), (np.zeros(3), False),
])
def test_another_type_is_refused(device, function, rows):
    with pytest.raises(TypeError, match="CFunction"):
        clopt.differential_evolution(clopt.CFunction(function, rows=rows), BOUNDS, device=device)


def test_the_address_0_is_refused(device):
    with pytest.raises(clopt.InvalidInput):
        clopt.differential_evolution(clopt.CFunction(0), BOUNDS, device=device)


def test_other_genes_are_refused(device):
    with pytest.raises(clopt.InvalidInput, match="reals"):
        clopt.genetic(clopt.CFunction(c_squares), 3, kind="bits", device=device)


def test_an_objective_keeps_its_function(device):
    import weakref

    function = Plain(lambda n, x: squares(x[:n]))
    gone = weakref.ref(function)
    objective = clopt.CFunction(function)
    result = clopt.differential_evolution(objective, BOUNDS, device=device, **RUN)
    del function
    gc.collect()
    assert gone() is not None  # the objective has it
    del objective
    gc.collect()
    assert gone() is None and result.fun >= 0  # no result keeps it


LEFT_BEHIND = """
import ctypes, gc, os, signal, threading, time, weakref
import clopt
Plain = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_double))
begun, let_go, returns = threading.Event(), threading.Event(), []
calls = 0
def slow(n, x):
    global calls
    calls += 1
    if calls == 1000:
        begun.set()
        let_go.wait()  # far longer than the run is waited for
        returns.append(calls)
    return x[0] * x[0]
def interrupt():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
function = Plain(slow)
gone = weakref.ref(function)
objective = clopt.CFunction(function)
del function
try:
    clopt.differential_evolution(objective, [(-5, 5)], maxiter=2**31 - 1, device=clopt.open("openmp:0", threads=1))
except clopt.Interrupted as error:
    result = error.result
del objective
gc.collect()
assert not returns and gone() is not None, "the run is in the function, which nobody else keeps"
let_go.set()
while gone() is not None:  # until the run has ended; the test's limit of time stands for "never"
    time.sleep(0.01)
assert returns == [1000] and calls == 1000, (returns, calls)
print("kept")
"""


def test_a_run_that_is_left_behind_keeps_its_function_and_calls_it_no_more():
    done = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "kept\n"), done.stdout + done.stderr
