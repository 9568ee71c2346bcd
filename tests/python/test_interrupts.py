"""Ctrl-C in what test_runs.py leaves out: other solvers, functions and fits. The best so far is in the exception."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import clopt
from clopt._subset_sum import _sum_of_first

INTERRUPTED = """
import ctypes, os, signal, threading, time
import numpy as np
import clopt
device = clopt.open("openmp:0", threads=1)
begun = threading.Event()
calls = 0
def count(x):
    global calls
    calls += 1
    if calls > 600:  # the first generations of each are evaluated
        begun.set()
        time.sleep(0.001)
    return (x * x).sum()
def vectorised(x):
    global calls
    calls += 1
    if calls > 3:
        begun.set()
        time.sleep(0.02)
    return (x * x).sum(0)
@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_double))
def pointer(n, x):
    return count(np.array(x[:n]))
def see(state):
    if state.fun is not None:
        begun.set()
many, large = clopt.subset_sum_instance("half:1500", seed=1)
few, small = clopt.subset_sum_instance("p:60", seed=1)
bounds = 3 * [(-5, 5)]
run = {"device": device}
endless = {"maxiter": 2**31 - 1, **run}
line = clopt.Objective.text("real residual(individual x, uint j) { return gene(x, 0) * abscissa(x, j) - row(x, j); }")
runs = {
    "states": lambda: clopt.subset_sum(many, large, method="balsub", reduce=False, callback=see, **run),
    "lists": lambda: clopt.subset_sum(few, small, method="meet-in-the-middle", reduce=False, callback=see, **run),
    "pointer": lambda: clopt.differential_evolution(clopt.CFunction(pointer), bounds, **endless),
    "violation": lambda: clopt.differential_evolution(count, bounds, violation=lambda x: x[0] - 4, **endless),
    "fits": lambda: clopt.differential_evolution(
        line, [(-5, 5)], data=np.ones((3000, 30)), callback=see, **endless),
    "genetic": lambda: clopt.genetic(count, bounds=bounds, **endless),
    "genetic, vectorised": lambda: clopt.genetic(vectorised, bounds=bounds, vectorized=True, **endless),
    "genetic, pointer": lambda: clopt.genetic(clopt.CFunction(pointer), bounds=bounds, **endless),
    "genetic, permutation": lambda: clopt.genetic(count, 9, kind="permutation", **endless),
    "ecga": lambda: clopt.ecga(count, 60, population=300, stagnation=None, **endless),
    "ecga, vectorised": lambda: clopt.ecga(
        vectorised, 60, vectorized=True, population=300, stagnation=None, **endless),
    "anneal": lambda: clopt.exchange("torus:7x7", optimizer="anneal", callback=see, **endless),
    "tabu": lambda: clopt.exchange("torus:7x7", optimizer="tabu", callback=see, **endless),
}
def interrupt():
    begun.wait()
    time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)
for name, solve in runs.items():
    begun.clear()
    calls = 0
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        solve()
        print(name, "was not interrupted")
    except clopt.Interrupted as error:
        result = error.result
        # On a busy machine the run may not have ended yet.
        is_whole = not isinstance(result, clopt.IntermediateResult)
        assert result is not None and (not is_whole or result.ending == "interrupted"), name
        # A schedule without conflicts is one, if longer than it might be.
        assert not is_whole or result.success == (name in ("anneal", "tabu") and result.conflicts == 0), name
        if name in ("states", "lists"):
            weights, capacity = (many, large) if name == "states" else (few, small)
            assert 0 < (result.value if is_whole else result.fun) <= capacity, name
            assert not is_whole or weights[result.indices].sum() == result.value, name
        elif name in ("anneal", "tabu"):
            assert not is_whole or (result.check() == "") == (result.conflicts == 0), name
        else:
            assert np.all(np.isfinite(result.fun)) and len(result.x) > 0, name
    thread.join()
print("all interrupted")
"""


def test_interrupt():
    # A time limit stands for "never": nothing is measured here.
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120)
    assert done.stdout == "all interrupted\n", done.stdout + done.stderr


def test_a_sum_is_reported_where_a_sweep_continues():
    big = 2**63 - 1
    for weights, capacity, expected in (
        ([3, 5, 7], 2, 0), ([3, 5, 7], 3, 3), ([3, 5, 7], 8, 8), ([9, 3, 5, 7], 8, 8), ([3, 5, 7], 99, 15),
        ([big, big, big, 1], big, big), ([big - 1, 2, big, big], big, big - 1), (1000 * [big // 3], big, big // 3 * 3),
    ):
        assert _sum_of_first(np.array(weights, dtype=np.uint64), capacity) == expected


@pytest.mark.parametrize("solve", [
    lambda func, **run: clopt.differential_evolution(func, 3 * [(-5, 5)], **run),
    lambda func, **run: clopt.genetic(func, bounds=3 * [(-5, 5)], **run),
    lambda func, **run: clopt.ecga(func, 20, population=200, stagnation=None, **run),
], ids=["differential_evolution", "genetic", "ecga"])
def test_a_run_of_a_function_continues_from_its_last_whole_generation(device, tmp_path, solve):
    """Ctrl-C within a generation: what it left out is in no checkpoint."""
    file = tmp_path / "run.ck"
    calls = 0

    def value(x):
        nonlocal calls
        calls += 1
        if calls > 700 and file.exists():  # within a generation of any of them
            os.kill(os.getpid(), signal.SIGINT)
            calls = -(10**9)
        elif calls > 0:
            time.sleep(0.001)  # checkpoints are written twice a second
        return float((x * x).sum())

    with pytest.raises(clopt.Interrupted) as raised:
        solve(value, maxiter=2**31 - 1, checkpoint=file, device=device)
    assert raised.value.result is not None
    calls = -(10**9)
    resumed = solve(value, maxiter=3, resume=file, device=device)  # as far as it is, at least
    assert solve(value, maxiter=resumed.nit, device=device).checksum == resumed.checksum
    assert resumed.nit > 0 and np.isfinite(resumed.fun)
